// What the routes about shifts answer.
import Type from 'typebox';
import { count, instant, orNull, word } from '../../resources/declaration/answer.ts';
import { objectOf } from '../../resources/declaration/field.ts';
import { logSchema, nextCursor } from '../answers.ts';

const layer = Type.Union([Type.Integer({ minimum: 0 }), Type.Literal('override')], {
  description: 'The index of the layer, or override.',
});
const span = { start: instant('Included.'), end: instant('Excluded.') };
const user = objectOf(
  { id: word('The person.'), first_name: word('Given name.'), last_name: word('Family name.') },
  'Who is on call.',
);
const schedule = {
  oncall_schedule_id: word('The schedule.'),
  name: word('Its name.'),
  team_id: word('The team that owns it.'),
};

const shift = objectOf({ user_id: word('Who is on call.'), layer, ...span });
export const shiftsShape = objectOf({ data: Type.Array(shift) });

const wholeShift = objectOf({ user, layer, ...span }, 'A shift from its start to its end.');
export const nowShape = objectOf({
  at: instant('Of which instant this tells.'),
  now: orNull(wholeShift, 'The shift that runs; null when nobody is on call.'),
  next: orNull(wholeShift, 'The one after it; null when none begins within a year.'),
});

export const nowListShape = objectOf({
  data: Type.Array(
    objectOf({
      ...schedule,
      user: orNull(user, 'Who is on call; null when nobody is.'),
      layer: orNull(layer, 'Of the shift that runs.'),
      start: orNull(instant('Included.'), 'Of the shift that runs.'),
      end: orNull(instant('Excluded.'), 'Of the shift that runs.'),
      next: orNull(wholeShift, 'The shift after it; null when none begins within a year.'),
    }),
  ),
  next_cursor: nextCursor,
});

const shiftOfSchedule = objectOf({ ...schedule, layer, ...span });
export const userOnCallShape = objectOf({
  at: instant('Of which instant this tells.'),
  now: Type.Array(shiftOfSchedule, { description: 'What the person is on call for.' }),
  next: Type.Array(shiftOfSchedule, { description: 'What comes, soonest first.' }),
});

const gap = objectOf({
  ...span,
  layer: orNull(layer, 'Whose turn it would have been; null when no layer is nearer than others.'),
  reason: word('Why, as a word.'),
  message: word('Why, for people.'),
});
export const coverageShape = objectOf({
  from: instant('Included.'),
  to: instant('Excluded.'),
  covered: Type.Boolean({ description: 'Whether somebody is on call at every instant.' }),
  uncovered_seconds: count('How long nobody is, in all.'),
  gap_count: count('How often.'),
  gaps: Type.Array(gap, { description: 'The first ones.' }),
  missing_users: Type.Array(
    objectOf({ user_id: word('The person.'), reason: word('Why, for people.') }),
    { description: 'People of the schedule who cannot be reached: they count as nobody here.' },
  ),
});

export const previewShape = objectOf({
  data: Type.Array(shift),
  coverage: objectOf({
    covered: Type.Boolean({ description: 'Whether somebody is on call at every instant.' }),
    gap_count: count('How often nobody is.'),
    gaps: Type.Array(gap, { description: 'The first ones.' }),
  }),
});

const notice = {
  channel: word('How.'),
  recipient: Type.Optional(word('Who, by name.')),
  state: word('pending, sent, failed or cancelled.'),
  reason: Type.Optional(word('Why it is in that state.')),
  attempts: count('How often it was tried.'),
};
export const eventsShape = logSchema(
  objectOf({
    id: word('The event.'),
    type: Type.Union([Type.Literal('start'), Type.Literal('end')]),
    at: instant('When the shift started or ended.'),
    recorded_at: instant('When that was noticed.'),
    announced: Type.Boolean({ description: 'Whether anybody was to be told.' }),
    reason: Type.Optional(word('Why not.')),
    shift: objectOf({
      id: word('Fixed when it starts.'),
      user_id: word('Who was on call.'),
      layer,
      ...span,
    }),
    notices: Type.Array(objectOf(notice)),
  }),
);

export const changeNoticesShape = logSchema(
  objectOf({
    edit: count('Which edit of the schedule moved the shifts.'),
    user_id: word('Whose shifts moved.'),
    created_at: instant('When the notice was written.'),
    changes: Type.Array(
      objectOf({
        type: Type.Union([Type.Literal('gained'), Type.Literal('lost')]),
        start: instant('Included.'),
        end: orNull(instant('Excluded.'), 'Excluded; null beyond what is looked at.'),
      }),
      { description: 'The first ones.' },
    ),
    ...notice,
  }),
);
