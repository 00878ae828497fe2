// What would happen if an event came: for checks and tests of policies, schedules and rules.
import { type Fields, failed } from '../../client/answer.ts';
import { notPager } from '../../client/pages.ts';
import { isObject } from '../../resources/declaration/is-object.ts';
import { warningDiagnostic } from '../diagnostics.ts';
import type { Attribute } from '../schema.ts';
import { computed, type DataSource, key, required } from './data-source.ts';

const listOf = (
  name: string,
  description: string,
  attributes: readonly Attribute[],
): Attribute => ({
  name,
  description,
  set: 'computed',
  isSensitive: false,
  shape: { nesting: 'list', attributes },
});

const when = [
  computed('at', 'string', 'The time, in UTC.'),
  computed('after_seconds', 'number', 'The number of seconds after the event.'),
];

export const simulation: DataSource = {
  typeName: 'pager_simulation',
  doc: 'Simulates an event with the saved configuration: who would be paged, when and why. Nothing is saved, and nobody is paged.',
  attributes: [
    required('integration_id', 'The integration that receives the event.'),
    required(
      'event',
      'The event as JSON: `jsonencode({ title = "Disk full" })`, or `jsonencode({ body = ... })` with the body that the monitoring tool sends. All fields of `event` in `POST /simulate` are allowed.',
    ),
    key(
      'at',
      'When the event arrives, such as `2026-11-29T03:00:00Z`. Default: now, with the current open incidents. At any other time, the event is the first with its key.',
    ),
    computed(
      'paged',
      'bool',
      'Whether anyone is paged: whether `pages` contains a page that would be sent.',
    ),
    listOf('pages', 'The pages and the recipients that cannot be reached, oldest first.', [
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
    ]),
    listOf('incidents', 'The incidents right after the event.', [
      computed('title', 'string', 'The title of the incident after the rules changed it.'),
      computed('status', 'string', '`triggered`, `acknowledged` or `resolved`.'),
      computed('priority', 'string', 'From `p1` to `p5`. Null if there is none.'),
      computed('severity', 'string', 'From `sev1` to `sev3`. Null if there is none.'),
    ]),
    listOf('alerts', 'The outcome of each alert in the event.', [
      computed('title', 'string', 'The title of the alert, before any rule changes it.'),
      computed(
        'outcome',
        'string',
        '`opened`, `grouped`, `suppressed`, `resolved`, `acknowledged`, `ignored` or `dropped`.',
      ),
      computed('reason', 'string', 'Why the alert opened no incident. Null if it opened one.'),
    ]),
    listOf('story', 'The timeline entries of all incidents, oldest first.', [
      ...when,
      computed('type', 'string', 'The type of the entry, such as `step_ran`.'),
      computed('text', 'string', 'What happens, as a sentence.'),
    ]),
  ],
  keys: [],
  problems: ({ event }) =>
    event === undefined || isJsonObject(event)
      ? []
      : [{ path: 'event', message: 'must be a JSON object: use jsonencode({ ... })' }],
  async find({ client }, { event, ...others }) {
    const body = { ...others, event: JSON.parse(event ?? '{}') };
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

const isListOfObjects = (value: unknown): value is readonly Fields[] =>
  Array.isArray(value) && value.every(isObject);

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
