// POST /integrations/:id/mapping/try: past events, or a body, as they are read now, and as a mapping
// would.
import Type from 'typebox';
import type { AlertEvent, Reading } from '../../alerts/alert.ts';
import { bounded, TooMuchWork } from '../../alerts/reading/effort.ts';
import { findingsIn } from '../../alerts/reading/explain.ts';
import type { Form, Mapping } from '../../alerts/reading/notation.ts';
import { stemOf } from '../../alerts/reading/stem.ts';
import type { StoredEvent } from '../../engine/ledger.ts';
import { eventsLimits } from '../../limits/events.ts';
import { instant } from '../../resources/declaration/answer.ts';
import {
  anything,
  flag,
  objectOf,
  optional,
  text,
  wholeNumber,
} from '../../resources/declaration/field.ts';
import { isObject, readObject } from '../../resources/declaration/validate.ts';
import { integration } from '../../resources/integration.ts';
import { mappingInput } from '../../resources/integration-mapping.ts';
import { eventsToTry, openKeys, type ReadingIntegration } from '../../storage/incidents/events.ts';
import { invalid } from '../failures.ts';
import { route } from '../people/writing.ts';
import { type Call, ok, type Route } from '../route.ts';
import { requestOf, typeOf } from '../stored-events.ts';
import { formsIn, integrationOf, type MappingParts } from './parts.ts';

const tryInput = objectOf({
  forms: mappingInput.properties.forms,
  event_ids: optional(
    Type.Array(text({ doc: 'The id of an event of this integration.' }), {
      description: 'The events that it is tried on; the last ones when absent.',
      maxItems: eventsLimits.mappingTried,
    }),
  ),
  last: optional(
    wholeNumber({
      doc: 'On how many of the last events it is tried; 20 when absent.',
      ...{ min: 1, max: eventsLimits.mappingTried },
    }),
  ),
  body: optional(
    anything(
      'In place of events: a body as the tool sends it, a text or JSON, which is not stored.',
    ),
  ),
  content_type: optional(
    text({
      doc: 'The content type of the body; by default none for a text, which is read by what it is, and application/json else.',
    }),
  ),
});

type TryRequest = {
  readonly event_ids?: readonly string[];
  readonly last?: number;
  readonly body?: unknown;
  readonly content_type?: string;
};

const alert = objectOf({
  action: text({ doc: 'trigger, acknowledge or resolve.' }),
  dedup_key: text({ doc: 'What pairs the messages of one problem, as it was read.' }),
  title: text({ doc: 'What the alert is called, as it was read.' }),
  severity: optional(text({ doc: 'The severity, if it has one.' })),
  priority: optional(text({ doc: 'The priority, if it has one.' })),
});

const reading = (doc: string) =>
  objectOf(
    {
      alerts: Type.Array(alert, { description: 'The alerts; at most the first ten.' }),
      note: optional(text({ doc: 'What is odd about it, or why it holds no alert.' })),
    },
    doc,
  );

const tried = objectOf({
  event_id: optional(text({ doc: 'The id of the event; absent of a body that was sent here.' })),
  received_at: instant('When it was received; now, for a body that was sent here.'),
  now: reading('As it is read now.'),
  proposed: reading('As it is read with the mapping.'),
  places: Type.Array(
    objectOf({
      at: text({ doc: 'Where in the mapping, such as `forms[0].key[0][0]`.' }),
      place: text({ doc: 'A place, as the mapping names it.' }),
      value: Type.Union([Type.String(), Type.Null()], {
        description: 'What stands there; null: nothing.',
      }),
    }),
    { description: 'What each place of the form that fits found.' },
  ),
});

const counts = (doc: string) =>
  objectOf(
    {
      resolves: Type.Integer({ description: 'Alerts that end a problem.' }),
      resolves_met: Type.Integer({
        description: 'Of these, those whose key an earlier trigger among the events has.',
      }),
      keys: Type.Integer({ description: 'Different keys.' }),
      has_one_key: flag({ doc: 'Whether problems of different titles all have one key.' }),
    },
    doc,
  );

const tryOutput = objectOf({
  data: Type.Array(tried, { description: 'The events, newest first.' }),
  now: counts('Of all events, as they are read now.'),
  proposed: counts('Of all events, as they are read with the mapping.'),
  open_incidents_rekeyed: Type.Integer({
    description:
      'Open incidents whose key these events would no longer have: what ends their problem would not resolve them.',
  }),
});

export const tryRoute = (parts: MappingParts): Route =>
  route('POST /integrations/:id/mapping/try', 'viewer', {
    ...{
      tag: integration.table,
      doc: 'Tries a mapping on past events of one integration, or on a body; changes nothing.',
    },
    ...{ body: tryInput, answers: { status: 200, schema: tryOutput } },
    async handle(call) {
      const { sql } = parts;
      const sent = readObject(tryInput, call.body);
      if (!sent.ok) throw invalid(sent.problems);
      // The reader has held it to the schema.
      const request = sent.value as TryRequest;
      const forms = formsIn({ forms: isObject(call.body) ? call.body['forms'] : [] });
      const one = await integrationOf(sql, call);
      const of = { organizationId: call.caller.organizationId, integrationId: one.id };
      const [events, open] = await Promise.all([
        request.body === undefined ? pastEvents(sql, of, request) : [arriving(request, of, call)],
        openKeys(sql, of),
      ]);
      return ok(tryBounded(events, { one, forms, open }));
    },
  });

type Of = { readonly organizationId: string; readonly integrationId: string };

function pastEvents(sql: MappingParts['sql'], of: Of, { event_ids: ids, last = 20 }: TryRequest) {
  const which = ids === undefined ? { last } : { ids };
  return eventsToTry(sql, { ...of, ...which }, eventsLimits.mappingTriedBytes);
}

/** As if the tool sent it now. */
function arriving(request: TryRequest, of: Of, { now }: Call): StoredEvent {
  const { body: sent, content_type, event_ids, last } = request;
  const isText = typeof sent === 'string';
  const body = Buffer.from(isText ? sent : JSON.stringify(sent));
  if (event_ids !== undefined || last !== undefined)
    throw invalid([{ path: 'body', message: 'must stand without event_ids and last' }]);
  if (body.length > eventsLimits.mappingTriedBody) {
    const most = `must have at most ${eventsLimits.mappingTriedBody} bytes, has ${body.length}`;
    throw invalid([{ path: 'body', message: most }]);
  }
  return {
    ...{ id: '', organization_id: of.organizationId, integration_id: of.integrationId },
    ...{ received_at: now, source: 'http', method: 'POST', path: '/push-events' },
    ...{ query: '', headers: {}, body, mapping_revision: null, mail: null },
    content_type: content_type ?? (isText ? '' : 'application/json'),
  };
}

type Trial = {
  readonly one: ReadingIntegration;
  readonly forms: readonly Form[];
  readonly open: ReadonlySet<string>;
};

/** On all events together it may take what it may take on one that arrives. */
function tryBounded(events: readonly StoredEvent[], trial: Trial) {
  try {
    return bounded(eventsLimits.mappingWork, () => tryOn(events, trial));
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
    throw invalid([{ path: 'forms', message: 'take too much work on these events: try fewer' }]);
  }
}

function tryOn(events: readonly StoredEvent[], { one, forms, open }: Trial) {
  const proposal: Mapping = { revision: 0, forms };
  const pairs = events.map((event) => ({
    event,
    now: readingOf(event, one, one.mapping),
    proposed: readingOf(event, one, proposal),
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
    data: pairs.map(({ event, now, proposed }) => ({
      ...(event.id !== '' && { event_id: event.id }),
      received_at: event.received_at.toString(),
      now: shown(now),
      proposed: shown(proposed),
      places: findingsIn(forms, requestOf(event)),
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
  if (type === undefined) return { unreadable: `${slug} is not supported here` };
  const about = { receivedAt: event.received_at, integrationName: name };
  return type.read(requestOf(event), about, mapping ?? undefined);
}

const alertsIn = (reading: Reading): readonly AlertEvent[] =>
  'alerts' in reading ? reading.alerts : [];

const SHOWN = 10;

function shown(reading: Reading) {
  if ('unreadable' in reading) return { alerts: [], note: reading.unreadable };
  const alerts = reading.alerts
    .slice(0, SHOWN)
    .map(({ action, dedup_key, title, severity, priority }) => ({
      ...{ action, dedup_key, title },
      ...(severity !== undefined && { severity }),
      ...(priority !== undefined && { priority }),
    }));
  return { alerts, ...(reading.note !== undefined && { note: reading.note }) };
}

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
      problems.add(stemOf(title));
    }
    if (action !== 'resolve') continue;
    resolves += 1;
    if (begun.has(dedup_key)) met += 1;
  }
  return {
    ...{ resolves, resolves_met: met, keys: keys.size },
    has_one_key: keys.size === 1 && problems.size > 1,
  };
}
