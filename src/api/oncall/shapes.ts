// Schemas of the answers about shifts and who is on call.
import Type from 'typebox';
import { count, instant, orNull, word } from '../../resources/declaration/answer.ts';
import { objectOf, optional } from '../../resources/declaration/field.ts';
import { logSchema, nextCursor } from '../answers.ts';

const layer = Type.Union([Type.Integer({ minimum: 0 }), Type.Literal('override')], {
  description: 'The index of the layer of the shift, from 0, or override.',
});
const shiftSpan = {
  start: instant('When the shift starts (inclusive).'),
  end: instant('When the shift ends (exclusive).'),
};
const user = objectOf(
  {
    id: word('The id of the person.'),
    first_name: word('The given name of the person.'),
    last_name: word('The family name of the person.'),
  },
  'The person who is on call.',
);
const schedule = {
  oncall_schedule_id: word('The id of the on-call schedule.'),
  name: word('The name of the on-call schedule.'),
  team_id: word('The team that owns the on-call schedule.'),
};

const wholeSpan = {
  shift_start: optional(
    instant('When the whole starts, of which the interval shows a part. Absent if it is not cut.'),
  ),
  shift_end: optional(
    instant('When the whole ends, of which the interval shows a part. Absent if it is not cut.'),
  ),
};
const shift = objectOf(
  {
    user_id: word('The id of the person who is on call.'),
    layer,
    ...shiftSpan,
    ...wholeSpan,
  },
  'A shift, cut to the requested interval.',
);
export const shiftsShape = objectOf({
  data: Type.Array(shift, { description: 'The shifts of the interval, in order.' }),
});

const wholeShift = objectOf(
  { user, layer, ...shiftSpan },
  'A whole shift, from its start to its end.',
);
export const nowShape = objectOf({
  at: instant('The time that the response describes.'),
  now: orNull(wholeShift, 'The shift at that time. Null if nobody is on call.'),
  next: orNull(wholeShift, 'The next shift after that time. Null if none begins within a year.'),
});

export const nowListShape = objectOf({
  data: Type.Array(
    objectOf({
      ...schedule,
      user: orNull(user, 'The person who is on call. Null if nobody is.'),
      layer: orNull(
        layer,
        'The layer of the current shift, or override. Null if nobody is on call.',
      ),
      start: orNull(shiftSpan.start, 'When the current shift started. Null if nobody is on call.'),
      end: orNull(shiftSpan.end, 'When the current shift ends. Null if nobody is on call.'),
      next: orNull(wholeShift, 'The next shift. Null if none begins within a year.'),
    }),
    { description: 'The active schedules, by counter.' },
  ),
  next_cursor: nextCursor,
});

const shiftOfSchedule = objectOf(
  { ...schedule, layer, ...shiftSpan },
  'A whole shift of one person, with its schedule.',
);
export const userOnCallShape = objectOf({
  at: instant('The time that the response describes.'),
  now: Type.Array(shiftOfSchedule, {
    description: 'The person’s shifts at that time.',
  }),
  next: Type.Array(shiftOfSchedule, {
    description: 'The next shifts of the person, soonest first.',
  }),
});

const gap = objectOf(
  {
    start: instant('When the gap starts.'),
    end: orNull(
      instant('When the gap ends.'),
      'When the gap ends. Null if it does not within ten years, or as far as could be searched.',
    ),
    layer: orNull(
      layer,
      'The layer that causes the gap. Null if no single layer is the likely cause.',
    ),
    reason: word(
      'The reason why nobody is on call, for programs, such as missing (the person is inactive) or taken_off (by an override).',
    ),
    message: word('Why nobody is on call, as a sentence.'),
    by_design: Type.Optional(
      Type.Literal(true, {
        description:
          'True if the gap is within the uncovered_by_design windows of the schedule. It is not counted in gap_count. Absent otherwise.',
      }),
    ),
  },
  'A period in which nobody is on call. It is not cut to the interval. It ends where an uncovered_by_design window begins, and begins where one ends.',
);
export const coverageShape = objectOf({
  from: instant('The start of the interval that was checked.'),
  to: instant('The end of the interval that was checked.'),
  covered: Type.Boolean({
    description:
      'Whether someone is always on call in the interval, except within uncovered_by_design.',
  }),
  uncovered_seconds: count(
    'The number of seconds in the interval with nobody on call, without gaps by design.',
  ),
  gap_count: count('The number of gaps in the interval, without those by design.'),
  gaps: Type.Array(gap, {
    description:
      'The first gaps, and the first gaps by design, in order. gap_count is the total number of the former.',
  }),
  missing_users: Type.Array(
    objectOf({
      user_id: word('The id of the person who cannot be paged.'),
      reason: word('Why the person cannot be paged, as a sentence.'),
    }),
    {
      description: 'People on the schedule who cannot be paged. Their shifts count as gaps.',
    },
  ),
});

const replaced = {
  override_id: optional(word('The override that causes the shift. Absent if a layer does.')),
  replaces_user_id: optional(
    word('The person whom the override replaces. Absent if it replaces everyone.'),
  ),
};
const shiftsAndGaps = {
  shifts: Type.Array(
    objectOf({ ...shift.properties, ...replaced }, 'A shift, cut to the interval.'),
    {
      description: 'The shifts of the interval, in order: who is on call.',
    },
  ),
  gap_count: count('The number of gaps in the interval, without those by design.'),
  gaps: Type.Array(gap, {
    description:
      'The first gaps, and the first gaps by design, in order. A turn of an inactive person is a gap if the layers below have nobody. Time before the schedule was created, or while it was archived, does not.',
  }),
};
const interval = {
  from: instant('The start of the interval.'),
  to: instant('The end of the interval.'),
};
const names = Type.Record(Type.String(), word('A name.'), {
  description: 'The names of the people on these schedules, by id.',
});
const timezone = word('The time zone of the on-call schedule.');

export const timelinesShape = objectOf({
  ...interval,
  data: Type.Array(objectOf({ ...schedule, timezone, ...shiftsAndGaps }), {
    description: 'The active schedules, by counter.',
  }),
  names,
  next_cursor: nextCursor,
});

const { user_id } = shift.properties;
export const timelineShape = objectOf({
  ...schedule,
  timezone,
  archived: Type.Boolean({ description: 'Whether the on-call schedule is archived.' }),
  ...interval,
  ...shiftsAndGaps,
  layers: Type.Array(
    objectOf({
      layer: orNull(
        Type.Integer({ minimum: 0, description: 'The index of the layer, from 0.' }),
        'The index of the layer in the current schedule, from 0. Null if the layer was removed.',
      ),
      shifts: Type.Array(
        objectOf(
          { user_id, ...shiftSpan, ...wholeSpan },
          'A shift of the layer, cut to the interval.',
        ),
        { description: 'The shifts of the layer on its own, in order.' },
      ),
    }),
    {
      description: 'The layers that existed in the interval. Removed layers come last.',
    },
  ),
  overrides: Type.Array(
    objectOf(
      {
        ...replaced,
        override_id: word('The id of the override.'),
        user_id: orNull(
          user_id,
          'The id of the person who is on call instead. Null: the person who is replaced is taken off, with nobody instead.',
        ),
        ...shiftSpan,
        ...wholeSpan,
      },
      'An override while it was or will be in effect, cut to the interval.',
    ),
    { description: 'The overrides of the interval, oldest first.' },
  ),
  names,
});

export const previewShape = objectOf({
  data: Type.Array(shift, { description: 'The shifts that the schedule would have, in order.' }),
  coverage: objectOf(
    {
      covered: Type.Boolean({
        description:
          'Whether someone would always be on call in the preview, except within uncovered_by_design.',
      }),
      gap_count: count('The number of gaps in the preview, without those by design.'),
      gaps: Type.Array(gap, {
        description:
          'The first gaps, and the first gaps by design, in order. gap_count is the total number of the former.',
      }),
    },
    'When nobody would be on call.',
  ),
});

const notice = {
  channel: word('The channel used, such as email or slack.'),
  recipient: Type.Optional(word('The name of the recipient.')),
  state: word('The state of the notice: pending, sent, failed or cancelled.'),
  reason: Type.Optional(word('Why the notice was not sent, or has not been sent yet.')),
  attempts: count('The number of attempts to send the notice.'),
};
export const eventsShape = logSchema(
  objectOf({
    id: word('The id of the event. It never changes.'),
    type: Type.Union([Type.Literal('start'), Type.Literal('end')], {
      description: 'Whether the shift started or ended.',
    }),
    at: instant('When the shift started or ended.'),
    recorded_at: instant('When the server recorded it.'),
    announced: Type.Boolean({ description: 'Whether it caused notices or webhook calls.' }),
    reason: Type.Optional(word('Why there were none.')),
    shift: objectOf(
      {
        id: word('The id of the shift, assigned when it starts.'),
        user_id: word('The id of the person who was on call.'),
        layer,
        ...shiftSpan,
      },
      'The shift that started or ended.',
    ),
    notices: Type.Array(objectOf(notice), {
      description: 'The notices and webhook calls of the event.',
    }),
  }),
);

export const changeNoticesShape = logSchema(
  objectOf({
    edit: count('The number of the edit of the schedule that moved the shifts.'),
    user_id: word('The id of the person whose shifts moved.'),
    created_at: instant('When the notice was written.'),
    changes: Type.Array(
      objectOf({
        type: Type.Union([Type.Literal('gained'), Type.Literal('lost')], {
          description: 'Whether the person gained or lost this period.',
        }),
        start: instant('When the period starts.'),
        end: orNull(
          instant('When the period ends.'),
          'When the period ends. Null if it extends more than a year beyond the compared time, or further than could be searched.',
        ),
      }),
      { description: 'The first changes of the notice, in order.' },
    ),
    ...notice,
  }),
);
