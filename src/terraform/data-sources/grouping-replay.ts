// What a proposed grouping would have made of the last days' events: for checks that it hides nothing.
import type { Static } from 'typebox';
import { type Fields, failed, type Result } from '../../client/answer.ts';
import { notPager } from '../../client/pages.ts';
import { isArchived } from '../../client/records.ts';
import { queryLimits } from '../../limits/queries.ts';
import { objectOf, optional, wholeNumber } from '../../resources/declaration/field.ts';
import { isObject } from '../../resources/declaration/is-object.ts';
import type { Problem } from '../../resources/declaration/resource.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { groupingFields } from '../../resources/grouping.ts';
import { checkSpan } from '../../resources/span.ts';
import { toJson } from '../convert.ts';
import { certainProblems } from '../planning/checks.ts';
import type { Type, Value } from '../protocol/value.ts';
import { type Attribute, objectAttributes } from '../schema.ts';
import type { Connection } from '../session.ts';
import { computed, computedList } from './data-source.ts';

const DAYS = 7;
/** Of each difference: the answer is in the state, and in every plan. */
const EXAMPLES_MAX = 20;

const input = {
  grouping: optional(
    objectOf(
      groupingFields,
      'A proposed grouping of the integration, instead of `event`. The events of the last days are replayed with the saved and with this grouping, and `replay` compares the results.',
    ),
  ),
  days: optional(
    wholeNumber({
      doc: `With \`grouping\`: the number of days to replay. Default: \`${DAYS}\`.`,
      min: 1,
      max: queryLimits.simulationDays,
    }),
  ),
};

const schema = objectOf(input);
const attributes = objectAttributes(schema);

/** What is configured of it. */
export const replayInput: readonly Attribute[] = attributes.map((one) =>
  one.name === 'days' ? { ...one, set: 'fallback' } : one,
);

/** Of an incident, in answers. */
export const grades: readonly Attribute[] = [
  computed('priority', 'string', 'From `p1` to `p5`. Null if there is none.'),
  computed('severity', 'string', 'From `sev1` to `sev3`. Null if there is none.'),
];

const inner = (name: string, description: string, attributes: readonly Attribute[]): Attribute => ({
  name,
  description,
  set: 'computed',
  isSensitive: false,
  shape: { nesting: 'single', attributes },
});

const both = (type: Type, what: string) => [
  computed('saved', type, `${what} with the saved grouping.`),
  computed('proposed', type, `${what} with the proposed grouping.`),
];

function compared(name: string, description: string, of: readonly Attribute[]): Attribute {
  const some = (name: string, description: string) =>
    inner(name, description, [
      computed('count', 'number', 'The total number.'),
      computedList('examples', `The first ${EXAMPLES_MAX} of them, oldest first.`, [
        computed('event_id', 'string', 'The event that opens the incident.'),
        computed('at', 'string', 'When that event arrived, in UTC.'),
        computed('title', 'string', 'The title of its alert, before any rule changes it.'),
        inner('saved', 'The result of the saved grouping. Null if there is none.', of),
        inner('proposed', 'The result of the proposed grouping. Null if there is none.', of),
      ]),
    ]);
  return inner(name, description, [
    ...both('number', 'The number'),
    some('added', 'What happens only with the proposed grouping.'),
    some('removed', 'What happens only with the saved grouping.'),
    some('changed', 'What happens with both, but differently.'),
  ]);
}

/** What is answered. */
export const replayOutput: Attribute = inner(
  'replay',
  'With `grouping`: the past events with the saved and with the proposed grouping. Actions of people are left out on both sides: nobody acknowledges or resolves.',
  [
    computed('from', 'string', 'When the replay starts, with no open incidents, in UTC.'),
    computed('to', 'string', 'When the replay ends, in UTC.'),
    inner('events', 'The events that were replayed.', [
      computed('read', 'number', 'The number of events that were replayed on both sides.'),
      computed('unreadable', 'number', 'The number of events that could not be read as alerts.'),
    ]),
    compared('incidents', 'The incidents that are opened.', [
      computed('title', 'string', 'The title of the incident at the end of the replay.'),
      computed('status', 'string', '`triggered`, `acknowledged` or `resolved` when it opens.'),
      ...grades,
    ]),
    compared('pages', 'The first page to each recipient about each incident.', [
      computed('at', 'string', 'When the page is sent, in UTC.'),
      computed('channel', 'string', 'The channel that carries the page, such as `email`.'),
      computed('to', 'string', 'The person who is paged, or the chat.'),
      computed('user_id', 'string', 'The user who is paged. Null for a chat.'),
    ]),
    inner(
      'alerts_joined',
      'The alerts that joined an open incident instead of opening their own.',
      both('number', 'The number'),
    ),
    computed(
      'quiet_though_worse',
      'number',
      'The joined alerts that were worse than what the pages before had shown, and that no page followed, with the proposed grouping. Counted from the pages; expected to be 0.',
    ),
    computed('warnings', ['list', 'string'], 'What the replay leaves out, as sentences.'),
  ],
);

/** What is wrong with it, whatever the unknown turns out to be. */
export const replayProblems = (config: Value): readonly Problem[] =>
  certainProblems({ schema, attributes }, config, (value) => {
    const read = readObject(schema, toJson(attributes, value));
    const { grouping } = (read.ok ? read.value : read.readable) as Partial<Static<typeof schema>>;
    return [...(read.ok ? [] : read.problems), ...checkSpan('grouping.window', grouping?.window)];
  });

/** The fields of the data source that it determines. */
export async function replayGrouping(
  { client, lookups }: Connection,
  integrationId: string,
  config: Value,
): Promise<Result<Fields>> {
  const integration = await lookups.at(`/integrations/${encodeURIComponent(integrationId)}`);
  if (!integration.ok) return integration;
  if (integration.value === null || isArchived(integration.value)) return unknownIntegration;
  const { id, team_id } = integration.value;
  const { grouping, days = DAYS } = toJson(attributes, config);
  const body = { team_id, days, grouping: { integration_id: id, ...(grouping as Fields) } };
  const path = '/alert-rules/replay';
  const answer = await client.send({ method: 'POST', path, body, isRead: true });
  if (!answer.ok) return answer;
  const { incidents, pages, ...others } = answer.body;
  if (!isObject(incidents) || !isObject(pages)) return notPager(client, 'no replay');
  const replay = {
    ...others,
    incidents: withFewExamples(incidents),
    pages: withFewExamples(pages),
  };
  return { ok: true, value: { grouping, days, replay } };
}

const unknownIntegration = failed({
  type: 'refused',
  status: 404,
  code: 'not_found',
  message: 'The integration was not found',
  issues: [
    {
      path: 'integration_id',
      message: 'does not match any active integration that the API key can see',
    },
  ],
  requestId: '',
});

const withFewExamples = (compared: Fields): Fields =>
  Object.fromEntries(
    Object.entries(compared).map(([name, one]) =>
      isObject(one) && Array.isArray(one['examples'])
        ? [name, { ...one, examples: one['examples'].slice(0, EXAMPLES_MAX) }]
        : [name, one],
    ),
  );
