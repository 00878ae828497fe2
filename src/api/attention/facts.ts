// What somebody should know or can mend, from what is known of the organization. Pure.
import { misreadIn } from '../../alerts/hints.ts';
import { integrationTypes, typeOf } from '../../alerts/index.ts';
import type { Problem } from '../../engine/clock-differences.ts';
import { jumpText } from '../../engine/clock-jump.ts';
import { usagePercent } from '../../incidents/admin-notices.ts';
import { dropReason } from '../../incidents/configuration.ts';
import type { FindingKind } from '../../incidents/findings.ts';
import { queryLimits } from '../../limits/queries.ts';
import type { Shift } from '../../oncall/schedule.ts';
import type { ShownJump } from '../../storage/database/server-clocks.ts';
import type { NotReached } from '../../storage/incidents/paging.ts';
import type {
  CutIntegration,
  FailingChannel,
  FailingConnection,
  FailingSince,
  IntegrationActivity,
  ShownFinding,
} from '../../storage/organizations/attention.ts';
import type { Quota } from '../../storage/organizations/quota.ts';
import { timeText } from '../../storage/records/rows.ts';

export const SILENT = { hours: 7 * 24 } as const;

type Named = { readonly id: string; readonly name: string };
export type Running = { readonly schedule: Named; readonly shift: Shift };
export type Uncovered = {
  readonly schedule: Named;
  readonly start: string;
  readonly end: string | null;
  /** How many further gaps it has. */
  readonly more: number;
};

export type Known = {
  /** Triggered incidents for which nobody was reached; null: there are none. */
  readonly notReached: NotReached | null;
  readonly now: Temporal.Instant;
  /** The person that asks; null: a key. */
  readonly me: string | null;
  readonly running: readonly Running[];
  /** People who cannot be reached, by id, with the reason. */
  readonly unreachable: ReadonlyMap<string, { readonly name: string; readonly reason: string }>;
  /** Why no mail leaves the server; null: it does. */
  readonly mail: string | null;
  /** Clocks that are probably wrong, and jumps of the one that decides. */
  readonly clocks: readonly Problem[];
  readonly jumps: readonly ShownJump[];
  /** What follows is nothing to whoever may not mend it, and then empty. */
  readonly quota: Pick<Quota, 'used' | 'limit'> | null;
  readonly failingChannels: readonly FailingChannel[];
  readonly failingConnections: readonly FailingConnection[];
  readonly uncovered: readonly Uncovered[];
  readonly failing: readonly FailingSince[];
  readonly activity: readonly IntegrationActivity[];
  readonly cut: readonly CutIntegration[];
  readonly findings: readonly ShownFinding[];
};

export const factTypes = [
  'nobody_reached',
  'you_unreachable',
  'your_shift',
  'mail',
  'clock',
  'channel_failing',
  'connection_failing',
  'quota',
  'person_unreachable',
  'gap',
  'webhook_failing',
  'integration_dropping',
  'integration_cut',
  'integration_misread',
  'integration_omitted_alerts',
  'integration_two_senders',
  'integration_unmatched_end',
  'integration_sender_clock',
  'integration_silent',
] as const;
type Fact = { readonly type: (typeof factTypes)[number] } & Record<string, unknown>;

/** By how much they matter: of each kind the first, and others as far as there is room. */
export function factsOf(known: Known): readonly Fact[] {
  const kinds = [
    notReached(known),
    ownReach(known),
    ownShifts(known),
    mail(known),
    clocks(known),
    failingChannels(known),
    failingConnections(known),
    quota(known),
    others(known),
    gaps(known),
    failing(known),
    dropping(known),
    cut(known),
    misread(known),
    findings(known, 'omitted_alerts'),
    findings(known, 'two_senders'),
    findings(known, 'unmatched_end'),
    findings(known, 'sender_clock'),
    silent(known),
  ];
  const chosen = kinds
    .flatMap((facts, kind) => facts.map((fact, nth) => ({ fact, kind, nth })))
    .toSorted((one, other) => one.nth - other.nth || one.kind - other.kind)
    .slice(0, queryLimits.attention);
  return chosen.toSorted((one, other) => one.kind - other.kind).map(({ fact }) => fact);
}

const notReached = ({ notReached: known }: Known): readonly Fact[] =>
  known === null
    ? []
    : [{ type: 'nobody_reached', incidents: known.incidents, incident: known.newest }];

const ownReach = ({ me, unreachable }: Known): readonly Fact[] => {
  const own = me === null ? undefined : unreachable.get(me);
  return own ? [{ type: 'you_unreachable', reason: own.reason }] : [];
};

const ownShifts = ({ me, running }: Known): readonly Fact[] =>
  running
    .filter(({ shift }) => shift.user_id === me)
    .map(({ schedule, shift }) => ({ type: 'your_shift', schedule, end: timeText(shift.end) }));

const mail = ({ mail: reason }: Known): readonly Fact[] =>
  reason === null ? [] : [{ type: 'mail', reason }];

const clocks = ({ clocks: all, jumps }: Known): readonly Fact[] => [
  ...all.map(({ text: reason }) => ({ type: 'clock' as const, reason })),
  ...jumps.map(({ at, incidents, ...jump }) => ({
    type: 'clock' as const,
    reason: jumpText(jump, incidents),
    since: timeText(at),
  })),
];

function quota({ quota: known }: Known): readonly Fact[] {
  const { limit, used = 0 } = known ?? {};
  if (limit === undefined || usagePercent(used, limit) === undefined) return [];
  return [{ type: 'quota', used, limit }];
}

/** Each once, with the first of their schedules. */
const others = ({ me, running, unreachable }: Known): readonly Fact[] =>
  [...unreachable].flatMap(([id, { name, reason }]) => {
    const first = id === me ? undefined : running.find(({ shift }) => shift.user_id === id);
    if (first === undefined) return [];
    return [{ type: 'person_unreachable', user: { id, name }, reason, schedule: first.schedule }];
  });

const gaps = ({ uncovered }: Known): readonly Fact[] =>
  uncovered
    .toSorted((one, other) => Temporal.Instant.compare(one.start, other.start))
    .map((one) => ({ type: 'gap', ...one }));

const failingChannels = ({ failingChannels: all }: Known): readonly Fact[] =>
  all.map(({ channel, reason, failing_since }) => ({
    type: 'channel_failing',
    channel,
    reason,
    since: timeText(failing_since),
  }));

const failingConnections = (known: Known): readonly Fact[] =>
  known.failingConnections.map(({ failing_since, reason, ...connection }) => ({
    type: 'connection_failing',
    connection,
    reason,
    since: timeText(failing_since),
  }));

const failing = (known: Known): readonly Fact[] =>
  known.failing.map(({ failing_since, ...webhook }) => ({
    type: 'webhook_failing',
    webhook,
    since: timeText(failing_since),
  }));

/** Why the next event will come to nothing; null: it will not. */
const lossOf = (one: IntegrationActivity) => dropReason({ archived: false, ...one });

const ofIntegration = ({ id, slug, name, received_at }: IntegrationActivity) => ({
  integration: { id, slug, name },
  ...(received_at && { since: timeText(received_at) }),
});

const silent = ({ activity }: Known): readonly Fact[] =>
  activity
    .filter((one) => one.silent && lossOf(one) === null)
    .map((one) => ({ type: 'integration_silent', ...ofIntegration(one) }));

const cut = (known: Known): readonly Fact[] =>
  known.cut.map(({ cut_at, ...integration }) => ({
    type: 'integration_cut',
    integration,
    since: timeText(cut_at),
  }));

const findings = (known: Known, wanted: FindingKind): readonly Fact[] =>
  known.findings.flatMap(({ kind, id, slug, name, text: reason, at, ...about }) => {
    if (kind !== wanted) return [];
    const { event_id, service_id, escalation_policy_id } = about;
    const fact = {
      type: `integration_${kind}` as const,
      integration: { id, slug, name },
      since: timeText(at),
      reason,
    };
    if (kind === 'unmatched_end' || kind === 'omitted_alerts') return [{ ...fact, event_id }];
    if (kind === 'sender_clock') return [fact];
    const second = { name: `${name} 2`, slug, service_id, escalation_policy_id };
    return [{ ...fact, second_integration: second }];
  });

const dropping = ({ activity, now }: Known): readonly Fact[] =>
  activity.flatMap((one) => {
    const reason = droppingReason(one, now);
    return reason === null ? [] : [{ type: 'integration_dropping', ...ofIntegration(one), reason }];
  });

/** Of a body that another tool seems to send, which the integration's type may then be. */
const misread = ({ activity }: Known): readonly Fact[] =>
  activity.flatMap((one) => {
    const name = typeOf(one.slug)?.name ?? one.slug;
    const tool = one.misread === null ? undefined : misreadIn(one.misread, name);
    const other = integrationTypes.find((type) => type.name === tool);
    if (other === undefined || lossOf(one) !== null) return [];
    const likely_type = { slug: other.slug, name: other.name };
    return [{ type: 'integration_misread', ...ofIntegration(one), likely_type }];
  });

export const activityStates = ['waiting', 'live', 'silent', 'dropping', 'disabled'] as const;
export type ActivityState = {
  readonly state: (typeof activityStates)[number];
  /** Why events open no incidents. */
  readonly reason: string | null;
};

/** How an integration fares, for its list. */
export function activityOf(one: IntegrationActivity, now: Temporal.Instant): ActivityState {
  if (!one.enabled) return { state: 'disabled', reason: null };
  const reason = droppingReason(one, now);
  if (reason !== null) return { state: 'dropping', reason };
  if (one.received_at === null) return { state: 'waiting', reason: null };
  return { state: one.silent ? 'silent' : 'live', reason: null };
}

/** A disabled one is told while its tool goes on sending: who disabled it may have meant it. */
function droppingReason(one: IntegrationActivity, now: Temporal.Instant): string | null {
  const { enabled, service, received_at, outcome } = one;
  if (enabled && service.archived) return lossOf(one);
  if (received_at === null) return null;
  if (Temporal.Instant.compare(received_at, now.subtract(SILENT)) <= 0) return null;
  if (outcome === 'unreadable') return 'the last event could not be read';
  if (outcome === 'refused') return `the last event was ${one.reason ?? 'refused'}`;
  return outcome === 'dropped' ? lossOf(one) : null;
}
