import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { personName } from '../../resources/person-name.ts';
import { peopleQuery } from '../people/queries.ts';
import { ownZone } from '../ui/zones.ts';
import type { Schedule } from './queries.ts';
import { scheduleWords as words } from './words.ts';
import { zoneChoices } from './zones.ts';

type ZonePickerProps = {
  schedule: Schedule;
  zone: string;
  choose: (zone: string) => void;
};

/** On whose clock times are shown. */
export function ZonePicker({ schedule, zone, choose }: ZonePickerProps) {
  const id = useId();
  const { data: members = [] } = useQuery(peopleQuery);
  const named = new Set(schedule.layers.flatMap(({ users }) => users));
  const people = members
    .filter((one) => named.has(one.id))
    .map((one) => ({ name: personName(one), ...(one.timezone && { timezone: one.timezone }) }));
  const choices = zoneChoices(
    { schedule: schedule.timezone, own: ownZone(), shown: zone, people },
    { mine: words.me },
  );
  return (
    <div className="flex min-w-0 items-center gap-2">
      <label htmlFor={id} className="shrink-0 text-sm text-ink2">
        {words.timesOf}
      </label>
      <select
        id={id}
        value={zone}
        onChange={({ target }) => choose(target.value)}
        className="h-9 max-w-56 min-w-0 rounded-md border border-line bg-surface px-2 hover:border-edge pointer-coarse:h-11 pointer-coarse:text-lg"
      >
        {choices.map((one) => (
          <option key={one.zone} value={one.zone}>
            {one.of.length > 0 ? words.zoneOf(one.zone, list.format(one.of)) : one.zone}
          </option>
        ))}
      </select>
    </div>
  );
}

const list = new Intl.ListFormat(undefined, { type: 'unit' });
