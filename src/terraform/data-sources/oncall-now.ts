import type { Fields, Result } from '../../client/answer.ts';
import type { Client } from '../../client/client.ts';
import { notPager } from '../../client/pages.ts';
import { isObject } from '../../resources/declaration/is-object.ts';
import { isNotFound } from '../calls/failures.ts';
import type { Attribute } from '../schema.ts';
import { computed, type DataSource, filter, findIn, key } from './data-source.ts';

const shift = (name: string, description: string): Attribute => ({
  name,
  description,
  set: 'computed',
  isSensitive: false,
  shape: {
    nesting: 'single',
    attributes: [
      computed('user_id', 'string', 'The id of the person.'),
      computed('first_name', 'string', 'Given name.'),
      computed('last_name', 'string', 'Family name.'),
      computed('email', 'string', 'The e-mail address. Null if the API key cannot see it.'),
      computed('layer', 'number', 'The index of the layer, from 0. Null for an override.'),
      computed('override', 'bool', 'Whether an override puts the person on call.'),
      computed('start', 'string', 'When the shift starts, in UTC.'),
      computed('end', 'string', 'When the shift ends (exclusive), in UTC.'),
    ],
  },
});

export const oncallNow: DataSource = {
  typeName: 'pager_oncall_now',
  doc: 'Who is on call for a schedule when Terraform reads it, and who is next.',
  attributes: [
    key('id', 'The id of the schedule.'),
    key('name', 'The name of the schedule.'),
    { ...key('counter', 'The short number of the schedule.'), shape: { type: 'number' } },
    filter('team_id', 'The team that owns the schedule. If set, only its schedules are searched.'),
    shift('now', 'The current shift. Null if nobody is on call.'),
    shift('next', 'The next shift. Null if none begins within a year.'),
  ],
  keys: ['id', 'name', 'counter'],
  async find({ client }, { id, counter, ...filters }) {
    const key = id ?? counter;
    const query = key === undefined ? filters : { id: key };
    const matches = await findIn(client, '/on-calls', query);
    if (!matches.ok) return matches;
    const { team_id } = filters;
    const fitting = matches.value.filter((one) => (team_id ?? one['team_id']) === one['team_id']);
    const [schedule, ...others] = fitting;
    if (schedule === undefined || others.length > 0) return { ok: true, value: fitting };
    const path = `/on-calls/${schedule['id']}/now`;
    const answer = await client.send({ method: 'GET', path });
    if (!answer.ok) return answer;
    const now = await shiftOf(client, answer.body['now']);
    if (!now.ok) return now;
    const next = await shiftOf(client, answer.body['next']);
    if (!next.ok) return next;
    return { ok: true, value: [{ ...schedule, now: now.value, next: next.value }] };
  },
};

/** With the address of its person, which the API tells apart from it. */
async function shiftOf(client: Client, shift: unknown): Promise<Result<Fields | null>> {
  if (shift === null) return { ok: true, value: null };
  if (!isObject(shift) || !isObject(shift['user'])) return notPager(client, 'no shift');
  const { user, layer, ...span } = shift;
  const { id, first_name, last_name } = user as Fields;
  const path = `/users/${encodeURIComponent(String(id))}`;
  const person = await client.send({ method: 'GET', path });
  if (!person.ok && !isNotFound(person.failure)) return person;
  const isOverride = layer === 'override';
  const email = person.ok ? person.body['email'] : null;
  const whose = { user_id: id, first_name, last_name, email };
  const value = { ...span, ...whose, layer: isOverride ? null : layer, override: isOverride };
  return { ok: true, value };
}
