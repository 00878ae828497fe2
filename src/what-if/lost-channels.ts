// What becomes of pages when a connection serves other channels, or goes.
import type { Configuration } from '../incidents/configuration.ts';
import { isBuiltIn } from '../resources/channels.ts';
import type { Target } from '../resources/escalation-policy.ts';
import {
  type ChangeContext,
  type ChangeSides,
  partOf,
  routingBefore,
  stepsOf,
  withPlanned,
} from './change-sides.ts';
import { pagingSidesOf } from './paging-concern.ts';
import type { Routed } from './paging-part.ts';
import type { ProposedRecord } from './proposed-record.ts';

type ChangedChannels = {
  /** That connections serve after it. */
  readonly connected: ReadonlySet<string>;
  /** Those that without a connection are only written to a folder. */
  readonly written?: ReadonlySet<string>;
  /** What the same run saves or archives before it. */
  readonly planned: readonly ProposedRecord[];
};

/** Null: the same channels are served as before. */
export function sidesOfChannels(
  { connected, written = new Set(), planned }: ChangedChannels,
  context: ChangeContext,
): ChangeSides | null {
  const { now, years, inoperative } = context;
  const changed = context.configuration.connected.symmetricDifference(connected);
  if (changed.size === 0) return null;
  const before = routingBefore(planned, {
    ...context,
    configuration: withPlanned(planned, context),
  });
  const changedTo = { connected, written };
  const after = { ...before, configuration: withConnected(before.configuration, changedTo) };
  const concern = {
    target: (target: Target) => changed.has(target?.via),
    // Whom rules and playbooks name is notified by any of their channels.
    action: (action: Routed) => 'user_id' in action,
  };
  const paging = pagingSidesOf(concern, { before, after }, now);
  const steps = context.policies.flatMap((policy) => {
    const own = before.configuration.policies.get(policy.id);
    if (own === undefined || own.archived || before.unclear.has(policy.id)) return [];
    const examined = { ...policy, steps: own.steps, isUnknown: () => false };
    const [was = [], is = []] = [before, after].map(({ configuration }) =>
      stepsOf(examined, { configuration, inoperative, now }),
    );
    const already = new Set(was.map(({ step }) => step));
    return is.map((one) => (already.has(one.step) ? one : { ...one, isNewly: true as const }));
  });
  const none = { rota: null, edit: null, areStepsOwn: false };
  return {
    at: now,
    years,
    ...none,
    steps,
    paging,
    configuration: partOf(before.configuration, null, steps),
    after: partOf(after.configuration, null, steps),
  };
}

type Served = Required<Pick<ChangedChannels, 'connected' | 'written'>>;

/** A channel that needs no connection stays. */
function withConnected(
  configuration: Configuration,
  { connected, written }: Served,
): Configuration {
  const gone = configuration.connected.difference(connected);
  const lost = new Set([...gone].filter((one) => !isBuiltIn(one) || written.has(one)));
  return {
    ...configuration,
    connected,
    channels: configuration.channels.difference(lost).union(connected),
    written: configuration.written.difference(connected).union(gone.intersection(written)),
  };
}
