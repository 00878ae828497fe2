import { queryLimits } from '../../limits/queries.ts';
import { id, name, objectOf, optional } from '../../resources/declaration/field.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { warned } from '../answers.ts';
import { notFound } from '../failures.ts';
import { actOf, readBody } from '../people/writing.ts';
import type { Route } from '../route.ts';
import { create, createdAgain, keyOf, type WriteParts } from './writes.ts';

const SUFFIX = ' (copy)';

const body = objectOf({
  name: optional(name('Of the new schedule; the old one with "(copy)" when absent.')),
  team_id: optional(id('The team that owns it; that of the old one when absent.')),
});

/** Another schedule with the same layers, made like any other. */
export const scheduleClone = (parts: WriteParts): Route => ({
  method: 'POST',
  path: '/on-calls/:id/clone',
  tag: oncallSchedule.table,
  role: 'manager',
  doc: 'Makes a new schedule with the layers and the zone of another; overrides are not copied.',
  body,
  answers: { status: 201, schema: warned(oncallSchedule.output) },
  async handle(call) {
    const said = readBody(body, call.body ?? {});
    const record = await parts.records.read(oncallSchedule, keyOf(call), actOf(call));
    if (record === undefined) throw notFound();
    const { team_id, fields } = record;
    const copy = { team_id, ...fields, name: copyName(String(fields['name'])), ...said };
    return create(parts, oncallSchedule, { ...call, body: copy });
  },
  again: (call, id) => createdAgain(parts, oncallSchedule, { call, id }),
});

/** Counted in code points, as names are. */
const copyName = (given: string): string =>
  `${[...given].slice(0, queryLimits.textLength - SUFFIX.length).join('')}${SUFFIX}`;
