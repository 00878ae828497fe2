// POST /preview of a channel connection: whom pages reach no more, or again, by its channels.
import { located } from '../../resources/declaration/resource.ts';
import type { Target } from '../../resources/escalation-policy.ts';
import { findConnection, listConnections } from '../../storage/connections/connections.ts';
import type { Queries } from '../../storage/database/database.ts';
import type { Use } from '../../storage/records/record-hooks.ts';
import { type ChangeEffects, none, type PreviewWarning } from '../../what-if/change-preview.ts';
import { sidesOfChannels } from '../../what-if/lost-channels.ts';
import { type RunTask, taskRequester } from '../computing/computer.ts';
import {
  channelsServed,
  isOnlyWritten,
  type LossParts,
  losses,
  type Serving,
} from '../connections/lost-channels.ts';
import { readChange, readNew } from '../connections/written-connection.ts';
import { invalid, Refusal } from '../failures.ts';
import { needsWholeOrganization } from '../people/writing.ts';
import { inoperativeTarget } from '../records/escalation-policy.ts';
import type { Call } from '../route.ts';
import {
  type ConnectionPreviewRequest,
  deactivatedBy,
  type ProposedConnection,
} from './change-preview-request.ts';
import { pagingPartOf } from './paging-part-of.ts';
import type { PreviewReads } from './preview-reads.ts';
import { readSavedSide } from './saved-side.ts';

type Parts = Pick<LossParts, 'hasMailServer'> & {
  readonly sql: Queries;
  readonly reads: PreviewReads;
  readonly compute: RunTask;
};

export type ConnectionPreview = {
  readonly effects: ChangeEffects;
  readonly warnings: readonly PreviewWarning[];
  readonly uses: readonly Use[];
};

const nothing: ConnectionPreview = { effects: none, warnings: [], uses: [] };

export async function previewConnection(
  parts: Parts,
  call: Call,
  request: ConnectionPreviewRequest,
): Promise<ConnectionPreview> {
  needsWholeOrganization(call);
  const { sql, reads, hasMailServer } = parts;
  const { caller, now } = call;
  const { organizationId } = caller;
  const active = await listConnections(sql, { organizationId, archived: false });
  const after = await connectionAfter(parts, call, request.connection);
  const others = active.filter(({ id }) => id !== request.connection.id);
  const served = channelsServed(active);
  const left = channelsServed(after === null ? others : [...others, after]);
  if (served.symmetricDifference(left).size === 0) return nothing;
  const lost = await losses(parts, caller, { served, left });
  const policies = lost.flatMap((one) => one.policies);
  const uses = [...new Map(policies.map((one) => [one.id, one])).values()];
  const planned = request.planned.flatMap((one) => pagingPartOf(one) ?? []);
  const capabilities = await reads.capabilities();
  const [saved, rulePlaces] = await Promise.all([
    readSavedSide(reads, call, {
      scheduleIds: planned.flatMap(({ id }) => id ?? []),
      deactivated: deactivatedBy(request.planned),
      isManaged: (request.managedBy ?? call.managedBy) !== null,
      areNew: capabilities.isUpgrading !== true,
    }),
    reads.rulePlaces(),
  ]);
  const written = new Set([...served].filter((one) => isOnlyWritten(one, hasMailServer)));
  const inoperative = (target: Target) => inoperativeTarget(target, capabilities);
  const sides = sidesOfChannels(
    { connected: left, written, planned },
    { ...saved, now, inoperative, policies: uses, rulePlaces },
  );
  const effects =
    sides === null ? none : await parts.compute(taskRequester(call), 'changePreview', sides);
  const ofChannels = lost.flatMap(({ gone, used }): PreviewWarning[] => [
    { code: 'channel_lost', path: null, message: gone },
    ...used.map((message) => ({ code: 'still_used', path: null, message }) as const),
  ]);
  return { effects, warnings: [...ofChannels, ...effects.warnings], uses };
}

/** Held to the rules of a save; of its secrets nothing is kept. Null: it is archived. */
async function connectionAfter(
  { sql }: Parts,
  { caller: { organizationId } }: Call,
  { path, id, archived, record }: ProposedConnection,
): Promise<Serving | null> {
  const before = id === null ? null : await findConnection(sql, organizationId, id);
  if (id !== null && before === null)
    throw invalid([{ path: `${path}.id`, message: 'does not match any channel connection' }]);
  if (archived) return null;
  if (before?.archived_at !== undefined) throw new Refusal('archived');
  try {
    return before === null ? readNew(record) : readChange(record, { before, sent: record });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, { issues: located(path, error.issues) });
  }
}
