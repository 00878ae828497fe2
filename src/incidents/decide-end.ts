// What an alert does that says that a problem is over, or that somebody has acknowledged it.
import type { AlertEvent } from '../alerts/alert.ts';
import { oneLine } from '../alerts/text.ts';
import { advanceWithPlaybooks } from './actions/automatic-playbooks.ts';
import type { AlertContext, AlertInput, KeyState } from './alert-context.ts';
import { type DecisionResult, nothing } from './decision-result.ts';
import { endAlert } from './end-alert.ts';
import { entry, type Incident, only } from './incident.ts';
import { type AlertKey, alertIn, hasOthersFiring } from './incident-alerts.ts';
import { endTaken, lateEnd } from './lateness.ts';
import { advance } from './lifecycle.ts';
import { monitoring } from './open-incident.ts';
import { directEnd, heldBy, withoutSender } from './prometheus-direct.ts';
import { endedBy, noRawKey } from './raw-keys.ts';

/** By its own key, or else by what came in the place of one. */
export function decideEnd(alert: AlertEvent, input: AlertInput): DecisionResult {
  const { keyState, rawKeyState = noRawKey, context } = input;
  const { raw_key: rawKey } = alert;
  // By the raw key itself, the release before opened incidents.
  const isMatched = keyState.open.some(({ dedup_key }) => dedup_key !== rawKey);
  if (rawKey === undefined || isMatched)
    return unlessUnknown(alert, keyState, end(keyState, alert, context));
  const open = new Map([...keyState.open, ...rawKeyState.open].map((one) => [one.id, one]));
  const ended = endedBy(rawKey, { ...rawKeyState, open: [...open.values()] });
  if ('reason' in ended) return unmatched(alert, ended.reason);
  const { dedup_key } = ended.incident;
  const own = { ...keyState, open: [ended.incident], end: null };
  return { ...end(own, { ...alert, dedup_key }, context), endedKey: dedup_key };
}

/** Of a problem that never came, a text may have been misread. */
const unlessUnknown = (
  alert: AlertEvent,
  { open, repeatCount }: KeyState,
  result: DecisionResult,
) =>
  alert.is_marked && open.length === 0 && repeatCount === 0
    ? { ...unmatched(alert, NEVER_CAME), ...(result.end && { end: result.end }) }
    : result;

const NEVER_CAME = 'no open incident to resolve, and no earlier alert with its key';

function unmatched(alert: AlertEvent, reason: string): DecisionResult {
  const shown = oneLine(alert.title).slice(0, 100);
  const text = `"${shown}" was read as an end but ended nothing: ${reason}.`;
  const finding = { kind: 'unmatched_end', subject: alert.dedup_key, text } as const;
  return { ...nothing('ignored', reason), findings: [finding] };
}

/** Resolves what is open, unless the end is older than what was reported last; and is remembered. */
function end(keyState: KeyState, alert: AlertEvent, context: AlertContext): DecisionResult {
  if (alert.direct !== undefined) return endOfSender(keyState, alert.direct, context);
  const late = new Map(keyState.open.map((one) => [one, lateEnd(alert, one)] as const));
  const open = keyState.open.filter((one) => late.get(one) === null);
  const [why] = [...late.values()].filter((reason) => reason !== null);
  if (why !== undefined && open.length === 0) {
    const outcomes = keyState.open.map((one) =>
      only(one, entry(one, 'late_end', `Nothing ended: ${late.get(one)}`)),
    );
    return { ...nothing('ignored', why), incidentId: keyState.open.at(-1)?.id ?? null, outcomes };
  }
  const remembered = endTaken(alert, keyState, context.now);
  const ended = onOpen({ ...keyState, open }, context, 'resolve');
  return remembered === undefined ? ended : { ...ended, end: remembered };
}

/** Ends what no other server still reports. */
function endOfSender(
  keyState: KeyState,
  direct: NonNullable<AlertEvent['direct']>,
  context: AlertContext,
): DecisionResult {
  const { now } = context;
  const remembered = { end: directEnd(direct, keyState, now) };
  const reasons = new Map(keyState.open.map((one) => [one, heldBy(one, direct, now)] as const));
  const held = keyState.open.filter((one) => reasons.get(one) !== null);
  const open = keyState.open.filter((one) => reasons.get(one) === null);
  const outcomes = held
    .map((one) => ({ one, left: withoutSender(one, direct) }))
    .flatMap(({ one, left }) => (left === one ? [] : [only(left)]));
  const last = held.at(-1);
  if (open.length === 0 && last) {
    const reason = reasons.get(last) ?? '';
    return { ...nothing('ignored', reason), incidentId: last.id, outcomes, ...remembered };
  }
  const ended = onOpen({ ...keyState, open }, context, 'resolve');
  return { ...ended, outcomes: [...ended.outcomes, ...outcomes], ...remembered };
}

const acknowledgedAtSource = 'One of the alerts was acknowledged at its source';

/** Acknowledges or resolves all open incidents of the key; of several alerts, that of the key. */
export function onOpen(
  keyState: KeyState,
  context: AlertContext,
  action: 'acknowledge' | 'resolve',
): DecisionResult {
  const { now, eventId } = context;
  const keyIn = ({ dedup_key }: Incident): AlertKey => ({
    integration_id: context.integrationId,
    dedup_key,
  });
  const open = keyState.open.filter((one) => alertIn(one, keyIn(one))?.state !== 'resolved');
  const ended = keyState.open.at(-1);
  if (open.length === 0 && ended)
    return { ...nothing('ignored', 'it has ended already'), incidentId: ended.id };
  const last = open.at(-1);
  if (!last) return nothing('ignored', `no open incident to ${action}`);
  const isOneOfSeveral = (one: Incident) => hasOthersFiring(one, keyIn(one));
  if (action === 'acknowledge' && open.every(isOneOfSeveral)) {
    const why = 'other alerts of its incident fire';
    const outcomes = open.map((one) =>
      only(one, entry(one, 'unchanged', `${acknowledgedAtSource}, which changed nothing: ${why}`)),
    );
    return { ...nothing('ignored', why), incidentId: last.id, outcomes };
  }
  const outcomes = open.flatMap((incident) => {
    if (action === 'resolve' && isOneOfSeveral(incident))
      return [endAlert(incident, keyIn(incident), { by: monitoring, now, eventId })];
    const outcome = advanceWithPlaybooks(incident, { type: action, by: monitoring }, context);
    return 'refused' in outcome ? [] : [outcome];
  });
  return {
    outcome: action === 'resolve' ? 'resolved' : 'acknowledged',
    reason: null,
    incidentId: last.id,
    opened: false,
    ruled: false,
    stormEventId: null,
    outcomes,
  };
}

/** Nobody knows whether the problem is over, so what is open stays open, and says so. */
export function leaveUnwatched(
  { open }: KeyState,
  words: string,
  context: AlertContext,
): DecisionResult {
  const reason = `its source no longer monitors it and will not report its end (${words})`;
  const last = open.at(-1);
  if (!last) return nothing('ignored', reason);
  const text = `The source no longer monitors this and will not report its end (${words})`;
  const outcomes = open.flatMap((incident) => {
    const outcome = advance(incident, { type: 'note', by: monitoring, text }, context);
    return 'refused' in outcome ? [] : [outcome];
  });
  return {
    ...nothing('ignored', `${reason}, so the incident stays open`),
    incidentId: last.id,
    outcomes,
  };
}
