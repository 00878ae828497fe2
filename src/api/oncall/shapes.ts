// Schemas of the answers about shifts and who is on call.
import Type from 'typebox';
import { count, instant, orNull, word } from '../../resources/declaration/answer.ts';
import { objectOf, optional } from '../../resources/declaration/field.ts';
import { logSchema, nextCursor } from '../answers.ts';

const layer = Type.Union([Type.Integer({ minimum: 0 }), Type.Literal('override')], {
  description: 'The index of the layer that the shift is of, from 0, or override.',
});
const shiftSpan = {
  start: instant('When the shift starts; that instant belongs to it.'),
  end: instant('When the shift ends; that instant no longer belongs to it.'),
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

const shift = objectOf(
  { user_id: word('The id of the person who is on call.'), layer, ...shiftSpan },
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
  at: instant('The instant that the answer is about.'),
  now: orNull(wholeShift, 'The shift at that instant; null when nobody is on call.'),
  next: orNull(
    wholeShift,
    'The next shift after that instant; null when none begins within a year.',
  ),
});

export const nowListShape = objectOf({
  data: Type.Array(
    objectOf({
      ...schedule,
      user: orNull(user, 'The person who is on call; null when nobody is.'),
      layer: orNull(
        layer,
        'The layer that the current shift is of, or override; null when nobody is on call.',
      ),
      start: orNull(
        shiftSpan.start,
        'When the current shift started; null when nobody is on call.',
      ),
      end: orNull(shiftSpan.end, 'When the current shift ends; null when nobody is on call.'),
      next: orNull(wholeShift, 'The next shift; null when none begins within a year.'),
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
  at: instant('The instant that the answer is about.'),
  now: Type.Array(shiftOfSchedule, {
    description: 'The shifts that the person is on call in at that instant.',
  }),
  next: Type.Array(shiftOfSchedule, {
    description: 'The next shifts of the person, soonest first.',
  }),
});

const gap = objectOf(
  {
    start: instant('When the gap starts.'),
    end: instant('When somebody is on call again.'),
    layer: orNull(layer, 'The layer that leaves the gap; null when no layer is the likely one.'),
    reason: word('Why nobody is on call, as a word for programs.'),
    message: word('Why nobody is on call, as a sentence for people.'),
  },
  'A stretch of time in which nobody is on call.',
);
export const coverageShape = objectOf({
  from: instant('The start of the interval that was checked.'),
  to: instant('The end of the interval that was checked.'),
  covered: Type.Boolean({
    description: 'Whether somebody is on call at every instant of the interval.',
  }),
  uncovered_seconds: count('For how many seconds of the interval nobody is on call.'),
  gap_count: count('How many gaps the interval has.'),
  gaps: Type.Array(gap, {
    description: 'The first gaps, in order; gap_count is the number of all.',
  }),
  missing_users: Type.Array(
    objectOf({
      user_id: word('The id of the person who cannot be paged.'),
      reason: word('Why the person cannot be paged, as a sentence for people.'),
    }),
    {
      description: 'People of the schedule who cannot be paged; their shifts count as gaps.',
    },
  ),
});

const replaced = {
  override_id: optional(word('The override that the shift comes of; absent of a layer.')),
  replaces_user_id: optional(
    word('The person whose time on call the override takes over; absent when everybody’s.'),
  ),
};
const shiftsAndGaps = {
  shifts: Type.Array(
    objectOf({ ...shift.properties, ...replaced }, 'A shift, cut to the interval.'),
    {
      description: 'The shifts of the interval, in order: who is on call.',
    },
  ),
  gap_count: count('How many gaps the interval has.'),
  gaps: Type.Array(gap, {
    description:
      'The first gaps, in order; from now on, a turn of an inactive person is one. The time before the schedule was made, or while it was archived, is none.',
  }),
};
const interval = {
  from: instant('The start of the interval.'),
  to: instant('The end of the interval.'),
};
const names = Type.Record(Type.String(), word('A name.'), {
  description: 'The names of the people of these schedules, by id.',
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
        'The index of the layer as the schedule is now, from 0; null when it was removed.',
      ),
      shifts: Type.Array(
        objectOf({ user_id, ...shiftSpan }, 'A shift of the layer, cut to the interval.'),
        { description: 'The shifts of the layer as if it were alone, in order.' },
      ),
    }),
    {
      description: 'Each layer that was there in the interval; those that were removed come last.',
    },
  ),
  overrides: Type.Array(
    objectOf(
      { ...replaced, override_id: word('The id of the override.'), user_id, ...shiftSpan },
      'An override, as far as it was or will be in force, cut to the interval.',
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
        description: 'Whether somebody would be on call at every instant of the preview.',
      }),
      gap_count: count('How many gaps the preview has.'),
      gaps: Type.Array(gap, {
        description: 'The first gaps, in order; gap_count is the number of all.',
      }),
    },
    'When nobody would be on call.',
  ),
});

const notice = {
  channel: word('The channel that the notice is sent by, such as email or slack.'),
  recipient: Type.Optional(word('The name of the recipient.')),
  state: word('The state of the notice: pending, sent, failed or cancelled.'),
  reason: Type.Optional(word('Why the notice was not sent, or not yet.')),
  attempts: count('How many attempts were made to send the notice.'),
};
export const eventsShape = logSchema(
  objectOf({
    id: word('The id of the event; it never changes.'),
    type: Type.Union([Type.Literal('start'), Type.Literal('end')], {
      description: 'Whether the shift started or ended.',
    }),
    at: instant('When the shift started or ended.'),
    recorded_at: instant('When the server recorded it.'),
    announced: Type.Boolean({ description: 'Whether notices or webhook calls were made for it.' }),
    reason: Type.Optional(word('Why none were made.')),
    shift: objectOf(
      {
        id: word('The id of the shift, which it has from its start on.'),
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
          description: 'Whether the person gained or lost this stretch of time.',
        }),
        start: instant('When the stretch starts.'),
        end: orNull(
          instant('When the stretch ends.'),
          'When the stretch ends; null when it goes beyond the time that was compared.',
        ),
      }),
      { description: 'The first changes of the notice, in order.' },
    ),
    ...notice,
  }),
);
