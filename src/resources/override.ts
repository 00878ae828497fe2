import type { Static } from 'typebox';
import { id, nullable, objectOf, optional, text } from './declaration/field.ts';
import { millisecondsOf } from './declaration/instant-text.ts';
import { organizationResource, type Problem } from './declaration/resource.ts';

/** Longer ones belong into a layer; a reader must be able to walk through all shifts of one. */
const MILLISECONDS_MAX = 10 * 366 * 24 * 3_600_000;

const user = { to: 'user', within: 'organization' } as const;
export const overrideTime = (doc: string) =>
  text({ doc, format: 'date-time', pattern: '^[12][0-9]{3}-', max: 40 });
export const overrideComment = (doc: string) => optional(text({ doc, max: 1_000 }));

const fields = {
  user_id: nullable(
    id(
      'The person who is on call instead. Null: the person in replaces_user_id is taken off call with nobody instead, so the layers below apply.',
      user,
    ),
    'The person who is on call instead.',
  ),
  replaces_user_id: optional(id('The person to replace. If absent, everyone is replaced.', user)),
  start: overrideTime(
    'When the override begins (inclusive), with an offset, such as 2026-01-31T09:00:00Z.',
  ),
  end: overrideTime(
    'When the override ends (exclusive), with an offset, such as 2026-01-31T17:00:00Z.',
  ),
  comment: overrideComment('The reason for the override. It has no other effect.'),
};

const doc = 'Puts someone on call for a time instead of the people in the layers.';

/** Its schedule stands in the path. */
export const overrideInput = objectOf(fields, doc);
export type OverrideFields = Static<typeof overrideInput>;

export const override = organizationResource({
  noun: 'override',
  name: 'override',
  table: 'oncall_overrides',
  doc,
  route: 'on-calls/:oncall_schedule_id/overrides',
  fields: {
    oncall_schedule_id: id('The schedule of the override.', {
      to: 'oncall_schedule',
      within: 'organization',
    }),
    ...fields,
  },
  endsAt: 'end',
  effectsAt: 'user_id',
  check: (sent) => [...unfitPeople(sent), ...unfitTimes(sent)],
});

function unfitPeople({ user_id, replaces_user_id }: Partial<OverrideFields>): readonly Problem[] {
  if (user_id === undefined) return [];
  const path = 'replaces_user_id';
  if (user_id === null && replaces_user_id === undefined)
    return [{ path, message: 'is required if user_id is null' }];
  if (user_id !== replaces_user_id) return [];
  return [{ path, message: 'must be a different person than user_id' }];
}

type Times = Partial<Pick<OverrideFields, 'start' | 'end'>>;

function unfitTimes({ start: from, end: until }: Times): readonly Problem[] {
  const [start, end] = [from, until].map((text) => (text ? millisecondsOf(text) : null));
  if (typeof start !== 'number' || typeof end !== 'number') return [];
  if (end <= start) return [{ path: 'end', message: 'must be after start' }];
  return end - start > MILLISECONDS_MAX
    ? [{ path: 'end', message: 'must be at most ten years after start' }]
    : [];
}

/** Rules beyond the shape, on the part that could be read. */
export const overrideProblems = (
  sent: Partial<OverrideFields>,
  now: Temporal.Instant,
): readonly Problem[] => [...unfitPeople(sent), ...timeProblems(sent, now)];

/** Of the time that somebody else is to be on call. */
export function timeProblems(sent: Times, now: Temporal.Instant): readonly Problem[] {
  const times = unfitTimes(sent);
  const end = sent.end === undefined ? null : millisecondsOf(sent.end);
  const isPast = times.length === 0 && end !== null && end <= now.epochMilliseconds;
  const message = 'must be in the future: past shifts cannot be changed';
  return [...times, ...(isPast ? [{ path: 'end', message }] : [])];
}
