// POST /integrations/:id/mapping/try: past events, or a body, as they are read now, and as a mapping
// would.
import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import type { StoredEvent } from '../../engine/ports/events.ts';
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
import { isObject } from '../../resources/declaration/is-object.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { integration } from '../../resources/integration.ts';
import { mappingInput } from '../../resources/integration-mapping.ts';
import { mayAct } from '../../resources/roles.ts';
import { eventsToTry, openKeys } from '../../storage/incidents/events.ts';
import { JsonText, taskRequester } from '../computing/computer.ts';
import { invalid, Refusal } from '../failures.ts';
import { route } from '../people/writing.ts';
import { type Call, ok, type Route } from '../route.ts';
import { formsIn, integrationOf, type MappingParts } from './mapping-parts.ts';

const tryInput = objectOf({
  forms: mappingInput.properties.forms,
  event_ids: optional(
    Type.Array(text({ doc: 'The id of an event of this integration.' }), {
      description: 'The events to try. If absent, the most recent events.',
      maxItems: eventsLimits.mappingTried,
    }),
  ),
  last: optional(
    wholeNumber({
      doc: 'The number of recent events to try. Default: 20.',
      min: 1,
      max: eventsLimits.mappingTried,
    }),
  ),
  body: optional(
    anything(
      'A body to try instead of events, as the tool sends it: text or JSON. It is not stored.',
    ),
  ),
  content_type: optional(
    text({
      doc: 'The content type of the body. By default, text has no content type and its format is detected. JSON has application/json.',
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
  dedup_key: text({ doc: 'The key that groups the messages of one problem.' }),
  title: text({ doc: 'The title of the alert.' }),
  severity: optional(text({ doc: 'The severity, if any.' })),
  priority: optional(text({ doc: 'The priority, if any.' })),
});

const reading = (doc: string) =>
  objectOf(
    {
      alerts: Type.Array(alert, { description: 'The first alerts, at most ten.' }),
      note: optional(
        text({ doc: 'What is unusual about the event, or why it contains no alert.' }),
      ),
    },
    doc,
  );

const tried = objectOf({
  event_id: optional(
    text({ doc: 'The id of the event. Absent for a body sent with the request.' }),
  ),
  received_at: instant('When it was received. For a body sent with the request, now.'),
  now: reading('The result without the mapping.'),
  proposed: reading('The result with the mapping.'),
  places: Type.Array(
    objectOf({
      at: text({ doc: 'The path in the mapping, such as `forms[0].key[0][0]`.' }),
      place: text({ doc: 'The path, as in the mapping.' }),
      value: Type.Union([Type.String(), Type.Null()], {
        description: 'The value at that path. Null if there is none.',
      }),
    }),
    { description: 'The value that each path of the matching form found.' },
  ),
});

const counts = (doc: string) =>
  objectOf(
    {
      resolves: Type.Integer({ description: 'Alerts that end a problem.' }),
      resolves_met: Type.Integer({
        description: 'How many of these have the key of an earlier trigger among the events.',
      }),
      keys: Type.Integer({ description: 'Different keys.' }),
      has_one_key: flag({ doc: 'Whether problems with different titles all share one key.' }),
    },
    doc,
  );

const tryOutput = objectOf({
  data: Type.Array(tried, { description: 'The events, newest first.' }),
  now: counts('The totals without the mapping.'),
  proposed: counts('The totals with the mapping.'),
  open_incidents_rekeyed: Type.Integer({
    description:
      'Open incidents whose key these events would no longer have. The end of their problem would not resolve them.',
  }),
});

const unsaved = 'You need the role manager or above to try a mapping that is not saved.';

export const tryRoute = (parts: MappingParts): Route =>
  route('POST /integrations/:id/mapping/try', 'viewer', {
    tag: integration.table,
    doc: 'Tries a mapping on past events of an integration, or on a body. Nothing is saved. Viewers and responders can try the saved mapping.',
    writesNothing: true,
    computes: 'mappingTrial',
    body: tryInput,
    answers: { status: 200, schema: tryOutput },
    async handle(call) {
      const { sql } = parts;
      const sent = readObject(tryInput, call.body);
      if (!sent.ok) throw invalid(sent.problems);
      // The reader has held it to the schema.
      const request = sent.value as TryRequest;
      const forms = formsIn({ forms: isObject(call.body) ? call.body['forms'] : [] });
      const one = await integrationOf(sql, call);
      const isSaved = isDeepStrictEqual(forms, one.mapping?.forms ?? []);
      if (!isSaved && !mayAct(call.caller, 'manager'))
        throw new Refusal('forbidden', { message: unsaved });
      const of = { organizationId: call.caller.organizationId, integrationId: one.id };
      const [events, open] = await Promise.all([
        request.body === undefined ? pastEvents(sql, of, request) : [arriving(request, of, call)],
        openKeys(sql, of),
      ]);
      const trial = { events, one, forms, open };
      return ok(new JsonText(await parts.compute(taskRequester(call), 'mappingTrial', trial)));
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
    throw invalid([{ path: 'body', message: 'cannot be combined with event_ids or last' }]);
  if (body.length > eventsLimits.mappingTriedBody) {
    const most = `must have at most ${eventsLimits.mappingTriedBody} bytes (it has ${body.length})`;
    throw invalid([{ path: 'body', message: most }]);
  }
  return {
    id: '',
    organization_id: of.organizationId,
    integration_id: of.integrationId,
    received_at: now,
    source: 'http',
    method: 'POST',
    path: '/push-events',
    query: '',
    headers: {},
    body,
    mapping_revision: null,
    mail: null,
    content_type: content_type ?? (isText ? '' : 'application/json'),
  };
}
