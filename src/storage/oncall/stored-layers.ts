// What a schedule keeps of its layers as JSON, as it is read back.
import type { DeclaredLayer } from '../../oncall/revisions/edits.ts';
import type { RunningTurn } from '../../oncall/rotation.ts';
import { timeOfDay, weekdayIndex } from '../../oncall/wall-clock.ts';
import {
  choiceOf,
  count,
  documentOf,
  instant,
  listOf,
  nullOr,
  number,
  objectOf,
  optional,
  type Parse,
  text,
  textThat,
} from '../../resources/declaration/stored-document.ts';
import type { Anchor } from '../records/rows.ts';

const instantText = textThat('must be an instant', instant);
const localTime = textThat('must be a time of day', timeOfDay);
const weekday = textThat('must be a weekday', weekdayIndex);

const localDate = textThat('must be a local date', (text) => Temporal.PlainDate.from(text));
const localDateTime = textThat('must be a local date and time', (text) =>
  Temporal.PlainDateTime.from(text),
);

type Rotation = DeclaredLayer['rotation'];
type Restriction = NonNullable<DeclaredLayer['restriction']>;
type Window = Restriction['windows'][number];

const rotation = objectOf<Rotation>({
  length: count,
  unit: choiceOf(['days', 'weeks']),
  handoff: optional(localTime),
  handoff_day: optional(weekday),
  since: optional(localDate),
  counts: optional(choiceOf(['all', 'open'])),
});

const window = objectOf<Window>({
  from_day: weekday,
  from_time: localTime,
  to_day: weekday,
  to_time: localTime,
});

export const parseLayers: Parse<readonly DeclaredLayer[]> = documentOf(
  'layers',
  listOf(
    objectOf<DeclaredLayer>({
      name: optional(text),
      users: listOf(nullOr(text)),
      rotation,
      restriction: optional(
        objectOf<Restriction>({ type: choiceOf(['weekly']), windows: listOf(window) }),
      ),
      starts_at: optional(instantText),
      ends_at: optional(instantText),
    }),
  ),
);

export const parseByDesign: Parse<readonly Window[]> = documentOf(
  'uncovered_by_design',
  listOf(window),
);

export const parseAnchors: Parse<readonly Anchor[]> = documentOf(
  'anchors',
  listOf(
    objectOf<Anchor>({
      id: text,
      at: instantText,
      turn: number,
      running: optional(
        objectOf<RunningTurn>({
          began: localDateTime,
          planned_end: localDateTime,
          length: count,
          unit: choiceOf(['days', 'weeks']),
        }),
      ),
      generated_at: instantText,
    }),
  ),
);
