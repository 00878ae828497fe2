// The routes that only schedules have.
import { queryLimits } from '../../limits/queries.ts';
import { id, name, objectOf, optional } from '../../resources/declaration/field.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { warned } from '../answers.ts';
import { readBody } from '../people/writing.ts';
import { ok, type Route } from '../route.ts';
import { scheduleConfigShape, withAnchors } from './oncall-schedule.ts';
import { create, createdAgain, readOne, type WriteParts } from './write.ts';

export const scheduleRoutes = (parts: WriteParts): Route[] => [
  configRoute(parts),
  cloneRoute(parts),
];

const configRoute = ({ records, render }: WriteParts): Route => ({
  method: 'GET',
  path: `/${oncallSchedule.route}/:id/config`,
  tag: oncallSchedule.table,
  role: 'viewer',
  doc: 'Returns one schedule with the id of each layer and a turn boundary of its rotation.',
  answers: { status: 200, schema: scheduleConfigShape },
  async handle(call) {
    const record = await readOne(records, oncallSchedule, call);
    return ok(withAnchors(render(oncallSchedule, record, call.caller), record));
  },
});

const SUFFIX = ' (copy)';

const cloneBody = objectOf({
  name: optional(name('The name of the new schedule. Default: the old name with "(copy)".')),
  team_id: optional(
    id('The team that owns the new schedule. Default: the team of the old schedule.'),
  ),
});

/** Another schedule with the same layers, made like any other. */
const cloneRoute = (parts: WriteParts): Route => ({
  method: 'POST',
  path: `/${oncallSchedule.route}/:id/clone`,
  tag: oncallSchedule.table,
  role: 'manager',
  doc: 'Copies the layers and time zone of a schedule to a new one. Overrides are not copied.',
  body: cloneBody,
  bodyMayBeAbsent: true,
  takesTeam: true,
  takesManagedBy: true,
  answers: { status: 201, schema: warned(oncallSchedule.output) },
  async handle(call) {
    const changes = readBody(cloneBody, call.body);
    const { team_id, fields } = await readOne(parts.records, oncallSchedule, call);
    const copy = { team_id, ...fields, name: copyName(String(fields['name'])), ...changes };
    return create(parts, oncallSchedule, { ...call, body: copy });
  },
  again: (call, id) => createdAgain(parts, oncallSchedule, { call, id }),
});

/** Counted in code points, as names are. */
const copyName = (original: string): string =>
  `${[...original].slice(0, queryLimits.textLength - SUFFIX.length).join('')}${SUFFIX}`;
