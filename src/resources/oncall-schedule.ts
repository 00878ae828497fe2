import type { Static } from 'typebox';
import {
  choice,
  id,
  listOf,
  listOfNullable,
  localTime,
  name,
  objectOf,
  optional,
  text,
  weekday,
  weekdays,
  wholeNumber,
  zone,
} from './declaration/field.ts';
import { type Problem, resource } from './declaration/resource.ts';

const localDatePattern = '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$';

const rotation = objectOf(
  {
    length: wholeNumber({
      doc: 'The length of one turn in units. 2 with unit weeks is a turn of two weeks.',
      min: 1,
      max: 1_000,
    }),
    unit: choice(['days', 'weeks'], { doc: 'The unit of length.' }),
    handoff: optional(
      localTime(
        'The time of day at which turns change, HH:MM in the schedule’s time zone. Default: 00:00.',
      ),
    ),
    handoff_day: optional(
      weekday(
        'The day of the week on which weekly turns change. Default: monday. Allowed only with unit weeks.',
      ),
    ),
    since: optional(
      text({
        doc: 'The local date of a handoff at which the turn of the first person began, such as 2026-01-26. It is read when the layer is added and when since changes. At that time, it must not be in the future and, with unit weeks, must be a handoff_day. If absent, the turn of the first person begins when the layer is added.',
        pattern: localDatePattern,
        example: '2026-01-26',
        max: 10,
        apiOnly: true,
      }),
    ),
    counts: optional(
      choice(['all', 'open'], {
        doc: 'The days of which turns consist. all: every day. open: only days on which the restriction has a window between one handoff and the next; the other days belong to the turn before. Default: all. Allowed only with unit days.',
        apiOnly: true,
      }),
    ),
  },
  'How long turns are, and when they change.',
);

const window = objectOf({
  from_day: weekday('The day of the week on which the window begins.'),
  from_time: localTime('The time of day at which the window begins (inclusive), HH:MM.'),
  to_day: weekday('The day of the week on which the window ends.'),
  to_time: localTime('The time of day at which the window ends (exclusive), HH:MM.'),
});
export type Window = Static<typeof window>;

const WINDOWS_MAX = 100;

const restriction = objectOf(
  {
    type: choice(['weekly'], {
      doc: 'The kind of restriction: windows that repeat every week.',
    }),
    windows: listOf(window, {
      doc: 'The weekly windows in which the layer has someone on call, in the schedule’s time zone.',
      max: WINDOWS_MAX,
    }),
  },
  'Limits the layer to certain hours of the week. If absent, the layer has no limit.',
);

const instant = (doc: string) => ({
  ...text({ doc, format: 'date-time', max: 40 }),
  'x-api-only': true,
});

const layer = objectOf({
  name: optional(name('The name of the layer. It has no other effect.')),
  users: listOfNullable(
    id('The id of a person who takes turns. Null is a turn with nobody.', {
      to: 'user',
      within: 'organization',
    }),
    {
      doc: 'The people who take turns, in order.',
      max: 1_000,
    },
  ),
  rotation,
  restriction: optional(restriction),
  starts_at: optional(
    instant(
      'When the layer begins, with an offset, such as 2026-01-31T09:00:00Z. If absent, it begins at once.',
    ),
  ),
  ends_at: optional(
    instant(
      'When the layer ends, with an offset, such as 2026-01-31T09:00:00Z. If absent, it does not end.',
    ),
  ),
});
export type Layer = Static<typeof layer>;

export type OncallSchedule = {
  readonly name: string;
  readonly layers: readonly Layer[];
  readonly timezone?: string;
  readonly uncovered_by_design?: readonly Window[];
};

export const oncallSchedule = resource({
  name: 'oncall_schedule',
  table: 'oncall_schedules',
  route: 'on-calls',
  doc: 'Ordered rotation layers that determine who is on call at any time.',
  fields: {
    name: name('The name of the schedule, shown in shift notifications.'),
    layers: listOf(layer, {
      doc: 'The layers. If two layers have someone on call, the later one applies.',
      max: 100,
    }),
    timezone: optional(
      zone('The IANA time zone for handoffs and windows, such as Europe/Berlin.', 'Etc/UTC'),
    ),
    uncovered_by_design: optional(
      listOf(window, {
        doc: 'The weekly windows in which nobody is meant to be on call, in the schedule’s time zone. A gap within them is not counted and causes no warnings. The part of a gap outside them is counted as a separate gap. They change neither who is on call nor whom incidents page.',
        max: WINDOWS_MAX,
        apiOnly: true,
        setElsewhere: true,
      }),
    ),
  },
  detailRoute: '/config',
  readOnlyMembers: { layers: ['id', 'anchor'] },
  effectsAt: 'layers',
  check: (schedule) => schedule.layers.flatMap(layerProblems),
});

function layerProblems(each: Layer, index: number): Problem[] {
  const path = `layers[${index}]`;
  const problems: Problem[] = [];
  if (each.rotation.unit === 'days' && each.rotation.handoff_day !== undefined)
    problems.push({
      path: `${path}.rotation.handoff_day`,
      message: 'is allowed only with unit weeks',
    });
  problems.push(...sinceProblems(each, path));
  if (each.rotation.unit === 'weeks' && each.rotation.counts === 'open')
    problems.push({
      path: `${path}.rotation.counts`,
      message: 'must be all: open is allowed only with unit days',
    });
  if (each.users.every((user) => user === null))
    problems.push({ path: `${path}.users`, message: 'must name at least one person' });
  if (
    each.starts_at !== undefined &&
    each.ends_at !== undefined &&
    Temporal.Instant.compare(each.starts_at, each.ends_at) >= 0
  )
    problems.push({ path: `${path}.ends_at`, message: 'must be after starts_at' });
  return problems;
}

/** The paths of rules that release 0.1.0 does not know. */
export const newFieldsOf = ({ layers }: Pick<OncallSchedule, 'layers'>): readonly string[] =>
  layers.flatMap(({ rotation: { since, counts } }, index) => [
    ...(since === undefined ? [] : [`layers[${index}].rotation.since`]),
    ...(counts === undefined ? [] : [`layers[${index}].rotation.counts`]),
  ]);

type Dated = { readonly layers: readonly Layer[]; readonly timezone?: string | undefined };

/**
 * Mistakes that depend on the time of the write, and on what is stored: a date that a layer has
 * already is not read again, so that it may become no day of a handoff.
 */
export function problemsAt(
  { layers, timezone = 'Etc/UTC' }: Dated,
  now: Temporal.Instant,
  sinceBefore: (layer: number) => string | undefined = () => undefined,
) {
  const today = now.toZonedDateTimeISO(timezone).toPlainDate();
  return layers.flatMap(({ rotation, starts_at }, index): Problem[] => {
    const { since } = rotation;
    if (since === undefined) return [];
    const path = `layers[${index}].rotation.since`;
    if (starts_at !== undefined && Temporal.Instant.compare(starts_at, now) > 0)
      return [{ path, message: 'is not allowed while starts_at is in the future: remove one' }];
    if (since === sinceBefore(index)) return [];
    if (Temporal.PlainDate.compare(since, today) > 0) {
      const message = `must not be in the future: today is ${today} in the time zone ${timezone}`;
      return [{ path, message }];
    }
    const message = notAHandoff({ ...rotation, since });
    return message === null ? [] : [{ path, message }];
  });
}

function notAHandoff({
  since,
  unit,
  handoff_day = 'monday',
}: Layer['rotation'] & { readonly since: string }): string | null {
  const weekday = weekdays[Temporal.PlainDate.from(since).dayOfWeek - 1];
  if (unit === 'days' || weekday === handoff_day) return null;
  return `must be a ${handoff_day}, the day of the handoff, and ${since} is a ${weekday}`;
}

function sinceProblems({ rotation: { since } }: Layer, path: string): Problem[] {
  if (since === undefined || isDate(since)) return [];
  return [{ path: `${path}.rotation.since`, message: `${since} is not a date in the calendar` }];
}

function isDate(text: string): boolean {
  try {
    Temporal.PlainDate.from(text);
    return true;
  } catch {
    return false;
  }
}
