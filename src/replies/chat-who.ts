// Who is on call, as a chat is answered.
import { type Configuration, personIn, type Rota } from '../incidents/configuration.ts';
import { queryLimits } from '../limits/queries.ts';
import { onCallAt } from '../oncall/on-call.ts';

export const schedulesIn = ({ schedules }: Configuration): readonly Rota[] =>
  [...schedules.values()]
    .filter(({ archived }) => !archived)
    .sort((a, b) => a.name.localeCompare(b.name));

/** Of the schedule with that name, in any case; null: of all. */
export function whoIsOnCall(
  configuration: Configuration,
  name: string | null,
  now: Temporal.Instant,
): string {
  const all = schedulesIn(configuration);
  const named =
    name === null ? all : all.filter((one) => one.name.toLowerCase() === name.toLowerCase());
  if (named.length === 0) {
    if (name === null) return 'No schedules yet.';
    const names = all.slice(0, queryLimits.chatSchedules).map((one) => one.name);
    return `No schedule is called ${name}. Available: ${names.join(', ') || 'none'}.`;
  }
  const shown = named.slice(0, queryLimits.chatSchedules);
  const left = named.length - shown.length;
  return [
    ...shown.map((rota) => onCallLine(rota, configuration, now)),
    ...(left === 0 ? [] : [`and ${left} more: name one`]),
  ].join('\n');
}

export function onCallLine(
  { name, schedule }: Rota,
  configuration: Configuration,
  now: Temporal.Instant,
): string {
  const onCall = onCallAt(schedule, now);
  if (onCall === null) return `${name}: nobody is on call`;
  if (configuration.unreadable.has(onCall.user_id)) return `${name}: unknown person`;
  const by = onCall.layer === 'override' ? ' (override)' : '';
  return `${name}: ${personIn(configuration, onCall.user_id).name}${by}`;
}
