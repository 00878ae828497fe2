// The windows of a layer's restriction, for the same hours on several days. Configurations of other
// providers repeat a block for each day.
import { localTimePattern, weekdays } from '../../resources/declaration/field.ts';
import type { Value } from '../protocol/value.ts';
import type { ProviderFunction, Result } from './provider-function.ts';

const localTime = new RegExp(localTimePattern);

const window = ['from_day', 'from_time', 'to_day', 'to_time'] as const;

export const weeklyWindows: ProviderFunction = {
  name: 'weekly_windows',
  doc: 'The windows of a layer’s restriction for the same hours on several days of the week.',
  parameters: [
    {
      name: 'days',
      type: ['list', 'string'],
      doc: 'The days on which windows begin, such as `["saturday", "sunday"]`.',
    },
    {
      name: 'from_time',
      type: 'string',
      doc: 'When each window begins, HH:MM in the schedule’s time zone.',
    },
    {
      name: 'to_time',
      type: 'string',
      doc: 'When each window ends, HH:MM. If this is not later than `from_time`, the window ends on the next day.',
    },
  ],
  returns: [
    'list',
    ['object', Object.fromEntries(window.map((name) => [name, 'string' as const]))],
  ],
  call: ([days, from, to]) => windowsOf(days as readonly Value[], String(from), String(to)),
};

function windowsOf(days: readonly Value[], from_time: string, to_time: string): Result {
  if (days.length === 0) return wrong(0, 'must contain at least one day');
  const numbers = days.map((day) => weekdays.indexOf(day as (typeof weekdays)[number]));
  const unknown = numbers.indexOf(-1);
  if (unknown >= 0)
    return wrong(
      0,
      `contains ${JSON.stringify(days[unknown])}, which is not one of ${weekdays.join(', ')}`,
    );
  const repeated = days.find((day, index) => days.indexOf(day) < index);
  if (repeated !== undefined) return wrong(0, `contains ${JSON.stringify(repeated)} twice`);
  for (const [argument, time] of [
    [1, from_time],
    [2, to_time],
  ] as const)
    if (!localTime.test(time))
      return wrong(argument, `must be a time such as 09:00, not ${JSON.stringify(time)}`);
  const isOverNight = to_time <= from_time;
  const value = numbers.map((number) => ({
    from_day: dayAt(number),
    from_time,
    to_day: dayAt(number + (isOverNight ? 1 : 0)),
    to_time,
  }));
  return { ok: true, value };
}

const dayAt = (number: number): string => weekdays[number % weekdays.length] ?? '';

const wrong = (argument: number, message: string): Result => ({ ok: false, argument, message });
