// Decides events in their order inside one transaction, by the pure src/incidents/decide-alert.ts.

import type { AlertEvent, Reading } from '../../alerts/alert.ts';
import { bounded, measured } from '../../alerts/effort.ts';
import { keysOf as alertKeysOf, settled } from '../../alerts/in-doubt.ts';
import type { AlertContext, AlertInput, KeyState } from '../../incidents/alert-context.ts';
import {
  type Configurations,
  configurationIn,
  type Integration,
  type RoutedIntegration,
  routedIntegrationIn,
} from '../../incidents/configuration.ts';
import { decideAlert, openUndecided } from '../../incidents/decide-alert.ts';
import type { AlertOutcome, DecisionResult } from '../../incidents/decision-result.ts';
import { formerKeyOf, joinKeyStates, withKey } from '../../incidents/former-keys.ts';
import { mayGroup } from '../../incidents/group-key.ts';
import type { Incident } from '../../incidents/incident.ts';
import { alertIn } from '../../incidents/incident-alerts.ts';
import type { RawKeyState } from '../../incidents/raw-keys.ts';
import { incidentsLimits } from '../../limits/incidents.ts';
import type { Faults } from '../faults.ts';
import type { Ids } from '../ids.ts';
import { failureOf } from '../log.ts';
import type { Changes, ConfigurationReader } from '../ports/changes.ts';
import type {
  AlertResult,
  Decision,
  EventOrderingKey,
  EventOutcome,
  StoredEvent,
} from '../ports/events.ts';
import {
  type Key,
  type KeyStateReader,
  keyText,
  keyTextOf,
  type OpenGroups,
  type RawKey,
  rawKeyText,
  rawKeyTextOf,
} from '../ports/keys.ts';
import { testEventPath } from './arrival.ts';
import { type AlertDecision, BatchState, keyOf } from './batch-state.ts';
import { inDecisionOrder } from './decision-order.ts';
import { groupsOf, groupWithin, workOn } from './groups.ts';

export type Readable = { readonly event: StoredEvent; readonly reading: Reading };

/** The weight of deciding an event: its alerts, and 1 when it holds none. */
export const alertsIn = ({ reading }: Readable): number =>
  'alerts' in reading ? Math.max(1, reading.alerts.length) : 1;

export type Decided = Readable & {
  readonly decision: Decision;
  /** The outcomes of its alerts that rules matched. */
  readonly ruled: readonly AlertOutcome[];
  /**
   * The event onto whose row this one is counted, instead of being stored itself: in a storm, or
   * beyond the storage budget.
   */
  readonly stormEventId: string | null;
};

/** Of each integration that takes events the first that was not read, with the reason. */
export function unreadableAmong(
  decided: readonly Decided[],
  configurations: Configurations,
): readonly { readonly event: StoredEvent; readonly reason: string }[] {
  const byIntegration = new Map<string, { event: StoredEvent; reason: string }>();
  for (const { event: one, reading, stormEventId } of decided) {
    const event = stormEventId === null ? one : { ...one, id: stormEventId };
    const reason = unreadReason(reading);
    if (reason === undefined || byIntegration.has(event.integration_id)) continue;
    const integration = integrationOf(event, configurations);
    if (integration === null || integration.archived || !integration.enabled) continue;
    byIntegration.set(event.integration_id, { event, reason });
  }
  return [...byIntegration.values()];
}

function unreadReason(reading: Reading): string | undefined {
  if ('unreadable' in reading) return reading.unreadable;
  return reading.refused ? (reading.note ?? '') : undefined;
}

type DecisionInput = {
  /** Of the alerts' deduplication keys; their open incidents are locked. */
  readonly keyStates: ReadonlyMap<string, KeyState>;
  /** Of the raw keys of ends. */
  readonly rawKeyStates: ReadonlyMap<string, RawKeyState>;
  /** Open incidents that alerts may join, by the text of their group. */
  readonly groups: OpenGroups | null;
  /** Of their organisations, read after the incidents were locked. */
  readonly configurations: Configurations;
  readonly ids: Ids;
  readonly now: Temporal.Instant;
  readonly faults: Faults;
};

/** Reads what the events are decided by, in one round trip; the configuration is read last. */
export async function loadDecisionInput(
  tx: KeyStateReader & ConfigurationReader,
  readables: readonly Readable[],
  now: Temporal.Instant,
): Promise<Pick<DecisionInput, 'keyStates' | 'rawKeyStates' | 'groups' | 'configurations'>> {
  const events = readables.map(({ event }) => event);
  const ids = organizationsOf(events);
  const rawKeys = rawKeysOf(readables);
  // All are sent at once and run in this order: whoever decides for the same team is waited for before
  // any incident is locked.
  const [, keyStates, rawKeyStates, configurations] = await Promise.all([
    tx.lockGroupingTeams(integrationsOf(events)),
    tx.keyStates(keysOf(readables)),
    rawKeys.length === 0 ? new Map<string, RawKeyState>() : tx.rawKeyStates(rawKeys),
    tx.configurations(ids, now),
  ]);
  const wanted = groupsOf(readables, configurations, now);
  const groups = wanted.length === 0 ? new Map() : await tx.groups(wanted);
  // The targets of merges and groups are locked after the configuration was read, which is then read
  // again.
  const isOutdated =
    (groups?.size ?? 0) > 0 ||
    hasMerged(keyStates, keyTextOf) ||
    hasMerged(rawKeyStates, rawKeyTextOf);
  return {
    keyStates,
    rawKeyStates,
    groups,
    configurations: isOutdated ? await tx.configurations(ids, now) : configurations,
  };
}

const hasMerged = (
  states: ReadonlyMap<string, { readonly open: readonly Incident[] }>,
  textOf: (incident: Incident) => string | undefined,
): boolean =>
  [...states].some(([key, { open }]) => open.some((incident) => textOf(incident) !== key));

/**
 * The caller holds the locks of the integrations, and writes the changes and the decisions.
 * `numbers` are those of incidents that were opened before.
 */
export function decideEvents(
  readables: readonly Readable[],
  input: DecisionInput,
): {
  decided: readonly Decided[];
  changes: Changes;
  numbers: ReadonlyMap<string, number>;
} {
  const state = new BatchState(input);
  const decided = readables.map((readable): Decided => {
    const { event, reading } = readable;
    if ('unreadable' in reading) return unreadable(readable, reading.unreadable);
    const receiving = integrationContextOf(event, reading.alerts, input);
    if ('unreadable' in receiving) return unreadable(readable, receiving.unreadable);
    let left = workOn(reading.alerts);
    const { integration, context } = receiving;
    const areGrouped = !context.isTest && mayGroup(integration, context.configuration);
    const results = inDecisionOrder(reading.alerts, areGrouped, (sent) => {
      const plain = settled(sent, (dedup_key) =>
        state.keyState(event, { dedup_key }).open.map((one) => titleIn(one, event, dedup_key)),
      );
      const { alert, keyState } = matching(plain, { state, event, input });
      const most = Math.min(left, incidentsLimits.rulesWork);
      const rawKeyState = state.rawKeyState(event, alert);
      const { result, units } = measured(() => {
        const own = areGrouped ? groupWithin(most, { alert, integration, context }) : null;
        const group = own && { ...own, open: state.group(event, own.key) };
        const known = { keyState, group, ...(rawKeyState && { rawKeyState }) };
        return decideSafely(alert, { known, most }, receiving);
      });
      left -= units;
      return state.record(event, alert, result);
    });
    return combineAlerts(readable, results, reading);
  });
  return { decided, changes: state.changes(), numbers: state.numbers() };
}

/** Of the alert, where it is one of several. */
const titleIn = (incident: Incident, { integration_id }: StoredEvent, dedup_key: string): string =>
  alertIn(incident, { integration_id, dedup_key })?.title ?? incident.title;

/** Null: the integration was removed while the event was stored. */
export const integrationOf = (
  { organization_id, integration_id }: EventOrderingKey,
  configurations: Configurations,
): Integration | null =>
  configurationIn(configurations, organization_id).integrations.get(integration_id) ?? null;

type IntegrationContext = {
  readonly integration: RoutedIntegration;
  readonly context: AlertContext;
  readonly faults: Faults;
};

/** An event whose integration was removed cannot be decided; it stays stored. */
export function integrationContextOf(
  event: Pick<StoredEvent, 'organization_id' | 'integration_id' | 'id'> & {
    readonly path?: string;
  },
  alerts: readonly AlertEvent[],
  {
    configurations,
    ids,
    now,
    faults,
  }: Pick<DecisionInput, 'configurations' | 'ids' | 'now' | 'faults'>,
): IntegrationContext | { readonly unreadable: string } {
  if (integrationOf(event, configurations) === null)
    return { unreadable: 'the integration no longer exists' };
  const configuration = configurationIn(configurations, event.organization_id);
  const isAlone = alerts.length === 1;
  const newId = () => ids.next();
  const { id: eventId, integration_id: integrationId } = event;
  const isTest = event.path === testEventPath;
  const context = { configuration, now, eventId, integrationId, isAlone, isTest, newId };
  return {
    integration: routedIntegrationIn(configuration, event.integration_id),
    context,
    faults,
  };
}

type Matching = {
  readonly state: BatchState;
  readonly event: StoredEvent;
  readonly input: DecisionInput;
};

/** The alert with the key by which it is matched now, and what is known of that key. */
function matching(
  alert: AlertEvent,
  { state, event, input }: Matching,
): { readonly alert: AlertEvent; readonly keyState: KeyState } {
  const current = state.keyState(event, alert);
  if (alert.former_key === undefined) return { alert, keyState: current };
  const underFormer = withKey(alert, alert.former_key);
  const former = state.keyState(event, underFormer);
  const integration = integrationOf(event, input.configurations);
  if (integration?.formerKeys) return { alert: underFormer, keyState: former };
  const exchangedAt = integration?.keysExchangedAt;
  if (exchangedAt === undefined) return { alert, keyState: current };
  return { alert, keyState: joinKeyStates(alert, { current, former, exchangedAt }) };
}

/** If deciding an alert fails, the other alerts go on, and the team's admins are paged for it. */
export function decideSafely(
  alert: AlertEvent,
  { known, most }: { readonly known: Omit<AlertInput, 'context'>; readonly most: number },
  target: IntegrationContext,
): DecisionResult {
  const { integration, context, faults } = target;
  try {
    return bounded(most, () => decideAlert(integration, alert, { ...known, context }));
  } catch (error) {
    faults({ of: 'alert', id: context.eventId, error });
    return openUndecided(integration, alert, { ...known, context, failure: failureOf(error) });
  }
}

export const unreadable = (readable: Readable, reason: string): Decided => ({
  ...readable,
  decision: { outcome: 'unreadable', reason, alerts: [] },
  ruled: [],
  stormEventId: null,
});

function combineAlerts(
  readable: Readable,
  results: readonly AlertDecision[],
  { note, refused }: Exclude<Reading, { readonly unreadable: string }>,
): Decided {
  const alerts: AlertResult[] = results.map(({ alert, result }) => ({
    action: alert.action,
    dedup_key: result.endedKey ?? alert.dedup_key,
    outcome: result.outcome,
    incident_id: result.incidentId,
    reason: result.reason,
  }));
  const outcomes = new Set(alerts.map((one) => one.outcome));
  const [first] = outcomes;
  const own: EventOutcome = outcomes.size > 1 ? 'mixed' : (first ?? 'ignored');
  const outcome = refused ? 'refused' : own;
  const empty = alerts.length === 0 ? 'the request contains no alert' : null;
  const reasons = [own === 'mixed' || refused ? null : alerts[0]?.reason, note ?? empty];
  const reason = reasons.filter((one) => one != null).join('; ') || null;
  const storm = results[0]?.result.stormEventId ?? null;
  const allCounted = results.length > 0 && results.every((one) => one.result.stormEventId !== null);
  return {
    ...readable,
    decision: {
      outcome,
      reason,
      alerts,
      ...suppressedOnto(results),
    },
    ruled: results.flatMap(({ result }) => (result.ruled ? [result.outcome] : [])),
    stormEventId: allCounted ? storm : null,
  };
}

/** Only a single alert has no timeline entry of its own when it is suppressed. */
function suppressedOnto([decision, ...others]: readonly AlertDecision[]): Pick<
  Decision,
  'suppressedOnto'
> {
  const { outcome, incidentId } = decision?.result ?? {};
  if (outcome !== 'suppressed' || !incidentId || others.length > 0) return {};
  return { suppressedOnto: incidentId };
}

function keysOf(readables: readonly Readable[]): Key[] {
  const keys = new Map<string, Key>();
  for (const { event, reading } of readables) {
    if ('unreadable' in reading) continue;
    for (const alert of reading.alerts)
      for (const dedup_key of new Set([...alertKeysOf(alert), formerKeyOf(alert)])) {
        const key = keyOf(event, withKey(alert, dedup_key));
        const text = keyText(key);
        if (key.isTimed || !keys.has(text)) keys.set(text, key);
      }
  }
  return [...keys.values()];
}

/** Of ends that have nothing else. */
export function rawKeysOf(readables: readonly Readable[]): readonly RawKey[] {
  const keys = new Map<string, RawKey>();
  for (const { event, reading } of readables) {
    if ('unreadable' in reading) continue;
    const { organization_id, integration_id } = event;
    for (const { action, raw_key } of reading.alerts) {
      if (action !== 'resolve' || raw_key === undefined) continue;
      keys.set(rawKeyText({ integration_id, raw_key }), {
        organization_id,
        integration_id,
        raw_key,
      });
    }
  }
  return [...keys.values()];
}

export const organizationsOf = (
  of: readonly { readonly organization_id: string }[],
): ReadonlySet<string> => new Set(of.map((one) => one.organization_id));

/** The integrations of the events, as keys. */
export function integrationsOf(events: readonly StoredEvent[]): Key[] {
  const keys = new Map<string, Key>();
  for (const { organization_id, integration_id } of events)
    keys.set(integration_id, { organization_id, integration_id, dedup_key: '' });
  return [...keys.values()];
}
