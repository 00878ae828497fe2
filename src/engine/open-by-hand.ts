// A person opens an incident: one transaction, as an alert's.
import { configurationIn, policyIn } from '../incidents/configuration.ts';
import type { Incident } from '../incidents/incident.ts';
import {
  openByHand as decide,
  openByHandLater,
  policyOfService,
  type Report,
} from '../incidents/open-by-hand.ts';
import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { Ids } from './ids.ts';
import { changesOf } from './intake/batch-state.ts';
import type { Transactor } from './ledger.ts';
import { failureOf } from './log.ts';
import type { OpeningTx, Repeatable, ReplyKey } from './ports/actions.ts';
import { type Wake, wakeOf } from './wake.ts';

type Opening = Parameters<typeof decide>[1];

export type OpeningContext = {
  readonly ledger: Transactor<OpeningTx>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly faults: Faults;
  /** Called after a commit, with what it may have made due. */
  readonly committed: (wake: Wake) => void;
};

export type OpeningResult =
  | { readonly result: 'opened'; readonly incident: Incident }
  | { readonly result: 'refused'; readonly reason: string }
  /** The service does not tell which policy. */
  | { readonly result: 'policy_needed'; readonly reason: string };

type Request = {
  readonly organizationId: string;
  readonly report: Report;
  /** Null: the request is not sent again. */
  readonly repeatable: Repeatable | null;
  /** What asked for it at a vendor: it throws if that has acted before. */
  readonly reply?: ReplyKey;
};

export async function openByHand(
  { ledger, clock, ids, faults, committed }: OpeningContext,
  { organizationId, report, repeatable, reply }: Request,
): Promise<OpeningResult> {
  let wake: Wake | null = null;
  const result = await ledger.transact(async (tx): Promise<OpeningResult> => {
    const now = clock.now();
    const configurations = await tx.configurations([organizationId], now);
    const configuration = configurationIn(configurations, organizationId);
    const { service_id, escalation_policy_id } = report;
    const policy =
      escalation_policy_id === null
        ? policyOfService(configuration, service_id)
        : policyIn(configuration, escalation_policy_id);
    if ('unknown' in policy) return { result: 'policy_needed', reason: policy.unknown };
    const id = ids.next();
    const opening = { id, policy, deciding: { configuration, now } };
    const outcome = decideSafely(report, opening, faults);
    if ('refused' in outcome) return { result: 'refused', reason: outcome.refused };
    const changes = changesOf([outcome], { opened: [outcome.incident], changed: [] });
    const numbers = await tx.save(changes, now);
    if (repeatable !== null) await tx.recordDone(repeatable, id);
    if (reply) await tx.recordActed({ ...reply, incidentId: id, unchanged: null }, now);
    wake = wakeOf(changes, now);
    const number = numbers.get(id) ?? 0;
    return { result: 'opened', incident: { ...outcome.incident, number } };
  });
  if (wake !== null) committed(wake);
  return result;
}

/** A fault in a rule or a playbook must not keep anybody from being paged. */
function decideSafely(report: Report, opening: Opening, faults: Faults) {
  try {
    return decide(report, opening);
  } catch (error) {
    faults({ of: 'incident', id: opening.id, error });
    return openByHandLater(report, opening, failureOf(error));
  }
}
