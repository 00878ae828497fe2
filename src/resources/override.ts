import type { Static } from 'typebox';
import * as Type from 'typebox';
import { id, objectOf, optional, text } from './declaration/field.ts';
import type { Problem } from './declaration/resource.ts';

/** Longer ones belong into a layer; a reader must be able to walk through all shifts of one. */
const HOURS_MAX = 10 * 366 * 24;

const user = { to: 'user', within: 'organization' } as const;
const time = (doc: string) =>
  text({ doc, format: 'date-time', pattern: '^[12][0-9]{3}-', max: 40 });

const fields = {
  user_id: id('The person who is on call instead.', user),
  replaces_user_id: optional(
    id('The person whose time on call is taken over; that of everybody when absent.', user),
  ),
  start: time('When the override begins, with an offset, included, such as 2026-01-31T09:00:00Z.'),
  end: time('When the override ends, with an offset, excluded, such as 2026-01-31T17:00:00Z.'),
  comment: optional(text({ doc: 'Why, for people; it changes nothing else.', max: 1_000 })),
};

export const overrideInput = objectOf(
  fields,
  'Somebody who is on call for a while instead of whoever the layers have.',
);
export type OverrideFields = Static<typeof overrideInput>;

export const overrideOutput = objectOf(
  {
    id: id('The id of the override. It never changes.'),
    ...fields,
    created_at: Type.String({
      format: 'date-time',
      description: 'When the override was made, in UTC.',
    }),
    updated_at: Type.String({
      format: 'date-time',
      description: 'When the override was last changed, in UTC.',
    }),
  },
  'Somebody who is on call for a while instead of whoever the layers have, as stored.',
);

/** To the millisecond, as times are stored. */
export const overrideTime = (text: string): Temporal.Instant =>
  Temporal.Instant.from(text).round({ smallestUnit: 'millisecond', roundingMode: 'floor' });

/** Rules beyond the shape, on the part that could be read. */
export function overrideProblems(
  { user_id, replaces_user_id, ...times }: Partial<OverrideFields>,
  now: Temporal.Instant,
): readonly Problem[] {
  const problems: Problem[] = [];
  if (user_id !== undefined && user_id === replaces_user_id)
    problems.push({ path: 'replaces_user_id', message: 'must be another person than user_id' });
  const [start, end] = [times.start, times.end].map((text) => text && overrideTime(text));
  if (start && end && Temporal.Instant.compare(end, start) <= 0)
    problems.push({ path: 'end', message: 'must be after start' });
  else if (start && end && Temporal.Instant.compare(end, start.add({ hours: HOURS_MAX })) > 0)
    problems.push({ path: 'end', message: 'must be at most ten years after start' });
  else if (end && Temporal.Instant.compare(end, now) <= 0)
    problems.push({ path: 'end', message: 'must be in the future: the past stays as it was' });
  return problems;
}
