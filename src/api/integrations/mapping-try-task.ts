// Tries a mapping on events, in a worker thread.
import type { AlertEvent, Reading } from '../../alerts/alert.ts';
import { within } from '../../alerts/effort.ts';
import { findingsIn } from '../../alerts/reading/explain.ts';
import type { Form, Mapping } from '../../alerts/reading/notation.ts';
import { titleWithoutState } from '../../alerts/reading/title-without-state.ts';
import type { StoredEvent } from '../../engine/ports/events.ts';
import { eventsLimits } from '../../limits/events.ts';
import type { ReadingIntegration } from '../../storage/incidents/events.ts';
import { partOf, requestOf, typeOf } from '../events/stored-events.ts';
import { invalid } from '../failures.ts';

export type Trial = {
  readonly events: readonly StoredEvent[];
  readonly one: ReadingIntegration;
  readonly forms: readonly Form[];
  readonly open: ReadonlySet<string>;
};

export function runMappingTrial(trial: Trial) {
  const answer = within(() => tryOn(trial), eventsLimits.mappingTrialWork);
  if (answer !== null) return answer;
  throw invalid([
    { path: 'forms', message: 'need too much work for these events: try fewer events' },
  ]);
}

function tryOn({ events, one, forms, open }: Trial) {
  const proposal: Mapping = { revision: 0, forms };
  // One event after another, since each is parsed once.
  const pairs = events.map((event) => ({
    event,
    now: readingOf(event, one, one.mapping),
    proposed: readingOf(event, one, proposal),
    places: findingsIn(forms, requestOf(event)),
  }));
  const oldestFirst = pairs.toReversed();
  const rekeyed = new Set(
    pairs.flatMap(({ now, proposed }) => {
      const keys = new Set(alertsIn(proposed).map(({ dedup_key }) => dedup_key));
      return alertsIn(now)
        .map(({ dedup_key }) => dedup_key)
        .filter((key) => open.has(key) && !keys.has(key));
    }),
  );
  return {
    data: pairs.map(({ event, now, proposed, places }) => ({
      ...(event.id !== '' && { event_id: event.id }),
      received_at: event.received_at.toString(),
      now: shown(now, event),
      proposed: shown(proposed, event),
      places,
    })),
    now: counted(oldestFirst.map(({ now }) => now)),
    proposed: counted(oldestFirst.map(({ proposed }) => proposed)),
    open_incidents_rekeyed: rekeyed.size,
  };
}

function readingOf(
  event: StoredEvent,
  { slug, name }: ReadingIntegration,
  mapping: Mapping | null,
): Reading {
  const type = typeOf(slug, event.path);
  if (type === undefined) return { unreadable: `${slug} is not supported by this server` };
  const about = { receivedAt: event.received_at, integrationName: name };
  return type.read(requestOf(event), about, mapping ?? undefined);
}

const alertsIn = (reading: Reading): readonly AlertEvent[] =>
  'alerts' in reading ? reading.alerts : [];

const SHOWN = 10;

function shown(reading: Reading, event: StoredEvent) {
  const part = partOf(event);
  if ('unreadable' in reading) return { alerts: [], note: notes(part, reading.unreadable) };
  const alerts = reading.alerts
    .slice(0, SHOWN)
    .map(({ action, dedup_key, title, severity, priority }) => ({
      action,
      dedup_key,
      title,
      ...(severity !== undefined && { severity }),
      ...(priority !== undefined && { priority }),
    }));
  const note = notes(part, reading.note);
  return { alerts, ...(note !== '' && { note }) };
}

const notes = (...all: readonly (string | null | undefined)[]) =>
  all.filter((one) => one != null).join('; ');

function counted(readings: readonly Reading[]) {
  const begun = new Set<string>();
  const keys = new Set<string>();
  const problems = new Set<string>();
  let [resolves, met] = [0, 0];
  for (const { action, dedup_key, title } of readings.flatMap(alertsIn)) {
    keys.add(dedup_key);
    if (action === 'trigger') {
      begun.add(dedup_key);
      // What ends a problem may be called otherwise.
      problems.add(titleWithoutState(title));
    }
    if (action !== 'resolve') continue;
    resolves += 1;
    if (begun.has(dedup_key)) met += 1;
  }
  return {
    resolves,
    resolves_met: met,
    keys: keys.size,
    has_one_key: keys.size === 1 && problems.size > 1,
  };
}
