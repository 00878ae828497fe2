// A person splits alerts of an incident off into one of their own: one transaction on the locked incident.
import { configurationIn } from '../incidents/configuration.ts';
import type { Actor, Incident } from '../incidents/incident.ts';
import { splitAlerts, unknownAlerts } from '../incidents/split-incident.ts';
import type { Clock } from './clock.ts';
import type { Ids } from './ids.ts';
import { changesOf } from './intake/batch-state.ts';
import type { Transactor } from './ledger.ts';
import type { Repeatable, SplittingTx } from './ports/actions.ts';
import { type Wake, wakeOf } from './wake.ts';

export type SplitContext = {
  readonly ledger: Transactor<SplittingTx>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly committed: (wake: Wake) => void;
};

type Request = {
  readonly by: Actor;
  readonly alertIds: readonly string[];
  readonly mayTouch: (incident: Incident) => boolean;
  readonly repeatable: Repeatable | null;
};

export type SplitAnswer =
  | { readonly result: 'opened'; readonly incident: Incident }
  | { readonly result: 'refused'; readonly reason: string }
  /** Indexes of ids that are no alert of the incident. */
  | { readonly result: 'unknown'; readonly indexes: readonly number[] }
  | { readonly result: 'not_found' };

export async function split(
  { ledger, clock, ids, committed }: SplitContext,
  target: { readonly organizationId: string; readonly id: string },
  { by, alertIds, mayTouch, repeatable }: Request,
): Promise<SplitAnswer> {
  let wake: Wake | null = null;
  const answer = await ledger.transact(async (tx): Promise<SplitAnswer> => {
    const { organizationId } = target;
    const [locked] = await tx.lockIncidents(organizationId, [target.id]);
    if (!locked || !mayTouch(locked)) return { result: 'not_found' };
    const indexes = unknownAlerts(locked, alertIds);
    if (indexes.length > 0) return { result: 'unknown', indexes };
    const now = clock.now();
    const incident = await tx.withContents(locked);
    const configurations = await tx.configurations([organizationId], now);
    const context = { configuration: configurationIn(configurations, organizationId), now };
    const id = ids.next();
    const result = splitAlerts(incident, { by, alertIds, id }, context);
    if ('refused' in result) return { result: 'refused', reason: result.refused };
    const { left, opened, moved } = result;
    const changes = {
      ...changesOf([left, opened], { opened: [opened.incident], changed: [left.incident] }),
      split: moved.map(({ integration_id, dedup_key }) => ({
        organization_id: organizationId,
        incident_id: incident.id,
        integration_id,
        dedup_key,
      })),
    };
    const numbers = await tx.save(changes, now);
    if (repeatable !== null) await tx.recordDone(repeatable, id);
    wake = wakeOf(changes, now);
    return { result: 'opened', incident: { ...opened.incident, number: numbers.get(id) ?? 0 } };
  });
  if (wake !== null) committed(wake);
  return answer;
}
