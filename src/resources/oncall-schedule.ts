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
  wholeNumber,
  zone,
} from './declaration/field.ts';
import { type Problem, resource } from './declaration/resource.ts';

const rotation = objectOf(
  {
    length: wholeNumber({ doc: 'Units per turn.', min: 1, max: 1_000 }),
    unit: choice(['days', 'weeks'], { doc: 'What length counts.' }),
    handoff: optional(localTime('When turns change; 00:00 when absent.')),
    handoff_day: optional(weekday('The day turns of weeks change; monday when absent.')),
  },
  'How turns change.',
);

const restriction = objectOf(
  {
    type: choice(['weekly'], { doc: 'The only kind.' }),
    windows: listOf(
      objectOf({
        from_day: weekday('First day.'),
        from_time: localTime('Included.'),
        to_day: weekday('Last day.'),
        to_time: localTime('Excluded.'),
      }),
      { doc: 'The layer has someone only in these.', max: 100 },
    ),
  },
  'Limits the layer to certain hours.',
);

const instant = (doc: string) => ({
  ...text({ doc, format: 'date-time', max: 40 }),
  'x-api-only': true,
});

const layer = objectOf({
  users: listOfNullable(id('A person.', { to: 'user', within: 'organization' }), {
    doc: 'In rotation order; null is a turn with nobody.',
    max: 1_000,
  }),
  rotation,
  restriction: optional(restriction),
  starts_at: optional(instant('Nobody before.')),
  ends_at: optional(instant('Nobody from then on.')),
});
export type Layer = Static<typeof layer>;

export const oncallSchedule = resource({
  name: 'oncall_schedule',
  table: 'oncall_schedules',
  route: 'on-calls',
  doc: 'Ordered rotation layers that decide who is on call at any moment.',
  fields: {
    name: name('Shown in shift notifications.'),
    layers: listOf(layer, { doc: 'A later layer overrides an earlier one.', max: 100 }),
    timezone: optional(zone('The zone of handoffs and windows.', 'Etc/UTC')),
  },
  detailRoute: '/config',
  readOnlyMembers: { layers: ['id', 'anchor'] },
  check: (schedule) => schedule.layers.flatMap(layerProblems),
});

function layerProblems(each: Layer, index: number): Problem[] {
  const path = `layers[${index}]`;
  const problems: Problem[] = [];
  if (each.rotation.unit === 'days' && each.rotation.handoff_day !== undefined)
    problems.push({ path: `${path}.rotation.handoff_day`, message: 'goes with unit weeks only' });
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
