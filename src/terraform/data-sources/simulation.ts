// What would happen if an event came, or with another grouping would have: for checks and tests of
// policies, schedules, rules and groupings.
import { type Fields, failed } from '../../client/answer.ts';
import { notPager } from '../../client/pages.ts';
import { isObject } from '../../resources/declaration/is-object.ts';
import type { Problem } from '../../resources/declaration/resource.ts';
import { fieldOf } from '../convert.ts';
import { warningDiagnostic } from '../diagnostics.ts';
import { Unknown, type Value } from '../protocol/value.ts';
import { computed, computedList, type DataSource, filter, key, required } from './data-source.ts';
import {
  grades,
  replayGrouping,
  replayInput,
  replayOutput,
  replayProblems,
} from './grouping-replay.ts';

const when = [
  computed('at', 'string', 'The time, in UTC.'),
  computed('after_seconds', 'number', 'The number of seconds after the event.'),
];

export const simulation: DataSource = {
  typeName: 'pager_simulation',
  doc: 'Simulates an event with the saved configuration: who would be paged, when and why. Or replays the events of the last days with a proposed grouping of alerts, and compares incidents and pages. Nothing is saved, and nobody is paged.',
  attributes: [
    required('integration_id', 'The integration that receives the event or groups its alerts.'),
    filter(
      'event',
      'The event to simulate as JSON: `jsonencode({ title = "Disk full" })`, or `jsonencode({ body = ... })` with the body that the monitoring tool sends. All fields of `event` in `POST /simulate` are allowed.',
    ),
    key(
      'at',
      'With `event`: when it arrives, such as `2026-11-29T03:00:00Z`. Default: now, with the current open incidents. At any other time, the event is the first with its key.',
    ),
    ...replayInput,
    replayOutput,
    computed(
      'paged',
      'bool',
      'With `event`: whether anyone is paged: whether `pages` contains a page that would be sent.',
    ),
    computedList(
      'pages',
      'With `event`: the pages and the recipients that cannot be reached, oldest first.',
      [
        ...when,
        computed(
          'step',
          'number',
          'The step of the escalation policy, from 1. Null outside of steps.',
        ),
        computed('channel', 'string', 'The channel that carries the page, such as `email`.'),
        computed('person', 'string', 'The person who is paged, and the schedule that names them.'),
        computed('chat', 'string', 'The chat that is paged, instead of a person.'),
        computed('user_id', 'string', 'The user who is paged. Null for a chat.'),
        computed('deliverable', 'bool', 'Whether the page is sent.'),
        computed('reason', 'string', 'Why the page is not sent. Null if it is sent.'),
      ],
    ),
    computedList('incidents', 'With `event`: the incidents right after it.', [
      computed('title', 'string', 'The title of the incident after the rules changed it.'),
      computed('status', 'string', '`triggered`, `acknowledged` or `resolved`.'),
      ...grades,
    ]),
    computedList('alerts', 'With `event`: the outcome of each alert in it.', [
      computed('title', 'string', 'The title of the alert, before any rule changes it.'),
      computed(
        'outcome',
        'string',
        '`opened`, `grouped`, `suppressed`, `resolved`, `acknowledged`, `ignored` or `dropped`.',
      ),
      computed('reason', 'string', 'Why the alert opened no incident. Null if it opened one.'),
    ]),
    computedList('story', 'With `event`: the timeline entries of all incidents, oldest first.', [
      ...when,
      computed('type', 'string', 'The type of the entry, such as `step_ran`.'),
      computed('text', 'string', 'What happens, as a sentence.'),
    ]),
  ],
  keys: [],
  problems: ({ event }, config) => [
    ...eitherProblems(config),
    ...(event === undefined || isJsonObject(event)
      ? []
      : [{ path: 'event', message: 'must be a JSON object: use jsonencode({ ... })' }]),
    ...replayProblems(config),
  ],
  async find(connection, { integration_id = '', event, at }, config) {
    if (event === undefined) {
      const replayed = await replayGrouping(connection, integration_id, config);
      return replayed.ok ? { ok: true, value: [replayed.value] } : replayed;
    }
    const { client } = connection;
    const body = { integration_id, event: JSON.parse(event), ...(at !== undefined && { at }) };
    const answer = await client.send({ method: 'POST', path: '/simulate', body, isRead: true });
    if (!answer.ok) return failed(answer.failure);
    const { notices, entries, ...simulated } = answer.body;
    if (!isListOfObjects(notices)) return notPager(client, 'no notices');
    const pages = notices.filter(({ kind }) => kind === 'page');
    const paged = pages.some(({ deliverable }) => deliverable === true);
    return { ok: true, value: [{ ...simulated, story: entries, pages, paged }] };
  },
  warnings: ({ warnings }) =>
    Array.isArray(warnings)
      ? warnings.map((detail) =>
          warningDiagnostic({ summary: 'The simulation is incomplete', detail: String(detail) }),
        )
      : [],
};

/** An event or a grouping, each with what belongs to it. */
function eitherProblems(config: Value): readonly Problem[] {
  const isSet = (name: string) => fieldOf(config, name) !== null;
  const isKnown = (name: string) => isSet(name) && !(fieldOf(config, name) instanceof Unknown);
  if (!isSet('event') && !isSet('grouping'))
    return [{ path: 'event', message: 'or grouping is required' }];
  const of = { event: ['grouping', 'days'], grouping: ['at'] } as const;
  return Object.entries(of).flatMap(([name, others]) =>
    others
      .filter((other) => isKnown(name) && isKnown(other))
      .map((path) => ({ path, message: `cannot be combined with ${name}` })),
  );
}

const isListOfObjects = (value: unknown): value is readonly Fields[] =>
  Array.isArray(value) && value.every(isObject);

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
