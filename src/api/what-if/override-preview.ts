// POST /on-calls/:id/overrides/preview, and of several overrides POST /on-calls/:id/overrides/batch/preview:
// whom they would put on call, and who would be told.
import Type from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import { isAfter, later } from '../../oncall/order.ts';
import type { Change } from '../../oncall/revisions/moves.ts';
import type { Override } from '../../oncall/schedule.ts';
import { count, instant, orNull, word } from '../../resources/declaration/answer.ts';
import { objectOf, optional } from '../../resources/declaration/field.ts';
import { storedInstant } from '../../resources/instant.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { type OverrideFields, overrideInput } from '../../resources/override.ts';
import { announce } from '../../shifts/announce.ts';
import { readShiftCursor } from '../../storage/ledger/shift-cursors.ts';
import { readPeople } from '../../storage/oncall/people.ts';
import { timeText } from '../../storage/records/rows.ts';
import { type Lookup, lookupIn } from '../../storage/records/uses.ts';
import { taskRequester } from '../computing/computer.ts';
import { Refusal } from '../failures.ts';
import {
  overridesInput,
  refuseNobodyBeforeUpgrade,
  reviewOverride,
  reviewOverrides,
} from '../oncall/overrides.ts';
import { type OncallParts, scheduleSince } from '../oncall/params.ts';
import { namesOf } from '../oncall/timeline-task.ts';
import { route } from '../people/writing.ts';
import { type Call, ok, type Route } from '../route.ts';
import { noticesAtOnce, renderIntent } from './notices-at-once.ts';
import { type SavedReadsParts, savedReads } from './preview-reads.ts';
import { readSavedSide } from './saved-side.ts';

const holder = (description: string) =>
  orNull(word('The id of the person.'), `${description}. Null if nobody is.`);

const shape = objectOf({
  changes: Type.Array(
    objectOf({
      start: instant('When the period starts.'),
      end: instant('When the period ends.'),
      before: holder('Who is on call without the overrides'),
      after: holder('Who is on call with them'),
    }),
    { description: 'The first periods in which someone else is on call, in order.' },
  ),
  changes_count: count('The number of all of them.'),
  compared_until: optional(
    instant(
      'The end of the comparison, if the schedule changes too often to compare until the overrides end.',
    ),
  ),
  notices: noticesAtOnce,
  names: Type.Record(Type.String(), word('A name.'), {
    description: 'The names of the people in these changes and notices, by id.',
  }),
});

export type OverridePreviewParts = OncallParts & SavedReadsParts;

const common = {
  tag: oncallSchedule.table,
  writesNothing: true,
  computes: 'overrideEffects',
  answers: { status: 200, schema: shape },
} as const;

export const overridePreviewRoutes = (parts: OverridePreviewParts): readonly Route[] => [
  route('POST /on-calls/:id/overrides/preview', 'responder', {
    ...common,
    doc: 'Previews whom an override puts on call, whom it replaces, and who is notified. Nothing is saved.',
    body: overrideInput,
    handle: async (call) => ok(await preview(parts, call, reviewOne)),
  }),
  route('POST /on-calls/:id/overrides/batch/preview', 'responder', {
    ...common,
    doc: 'Previews whom several overrides put on call, whom they replace, and who is notified. Nothing is saved.',
    body: overridesInput,
    handle: async (call) => ok(await preview(parts, call, reviewSeveral)),
  }),
];

type Review = (call: Call, lookup: Lookup) => Promise<readonly OverrideFields[]>;

const reviewOne: Review = async ({ body, now }, lookup) => [
  await reviewOverride(body, { lookup, before: null, now }),
];
const reviewSeveral: Review = ({ body, now }, lookup) => reviewOverrides(body, { lookup, now });

async function preview(parts: OverridePreviewParts, call: Call, review: Review) {
  const { sql, compute } = parts;
  const { now, caller } = call;
  const { organizationId } = caller;
  const known = await scheduleSince(sql, call, now);
  if (known.archived) throw new Refusal('archived');
  await refuseNobodyBeforeUpgrade(sql, call.body);
  const overrides = (await review(call, lookupIn(sql, organizationId))).map(proposed);
  const of = { organizationId, scheduleId: known.id };
  const [{ cursor, history, schedule }, { configuration, nextEdits }] = await Promise.all([
    readShiftCursor(sql, of),
    readSavedSide(savedReads(parts, call), call, { scheduleIds: [known.id] }),
  ]);
  const at = nextEdits.get(known.id) ?? now;
  const input = { cursor, history, at, overrides };
  const { advance, changes, until } = await compute(taskRequester(call), 'overrideEffects', input);
  const end = overrides.map((one) => one.end).reduce(later);
  const listed = changes.slice(0, queryLimits.previewItems);
  const intents = announce(advance, schedule, configuration);
  const ids = listed.flatMap(({ before, after }) => [before ?? [], after ?? []].flat());
  const notified = intents.flatMap(({ user_id }) => user_id ?? []);
  return {
    changes: listed.map((change) => renderChange(change, end)),
    changes_count: changes.length,
    ...(isAfter(end, until) && { compared_until: timeText(until) }),
    notices: intents.map(renderIntent),
    names: namesOf(await readPeople(sql, organizationId, [...ids, ...notified])),
  };
}

export const proposed = (fields: OverrideFields, index = 0): Override => ({
  id: `preview ${index}`,
  user_id: fields.user_id,
  ...(fields.replaces_user_id !== undefined && { replaces_user_id: fields.replaces_user_id }),
  start: storedInstant(fields.start),
  end: storedInstant(fields.end),
});

const renderChange = ({ start, end, before, after }: Change, last: Temporal.Instant) => ({
  start: timeText(start),
  end: timeText(end ?? last),
  before,
  after,
});
