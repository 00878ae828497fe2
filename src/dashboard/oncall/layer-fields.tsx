import { useState } from 'react';
import { personName } from '../../resources/person-name.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { DragHandle } from '../ui/drag-handle.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { withMoved } from '../ui/moved.ts';
import { PersonMark } from '../ui/person-mark.tsx';
import { PickField } from '../ui/pick-field.tsx';
import { type DraftLayer, mayCountOpen } from './draft.ts';
import { weekdays } from './hours.ts';
import { HoursField } from './hours-field.tsx';
import { InstantField } from './instant-field.tsx';
import type { Member } from './queries.ts';
import { editWords as words } from './words.ts';

type LayerProps = {
  layer: DraftLayer;
  /** From 0, as the API counts. */
  index: number;
  members: readonly Member[];
  names: ReadonlyMap<string, string>;
  timezone: string;
  change: (fields: Partial<DraftLayer>) => void;
};

const dayOptions = weekdays.map((day) => ({ value: day, text: words.days[day] }));

export function LayerFields({ layer, index, members, names, timezone, change }: LayerProps) {
  const path = `layers[${index}]`;
  const { name, length, unit, handoff, handoff_day, since, counts, windows } = layer;
  // Whoever opens or closes them afterwards decides.
  const [openFirst] = useState({
    hours: windows !== null,
    dates: layer.starts_at !== undefined || layer.ends_at !== undefined,
  });
  return (
    <div className="flex flex-col gap-4">
      <TextField
        path={`${path}.name`}
        label={words.layerName}
        value={name}
        maxLength={255}
        onChange={(next) => change({ name: next })}
      />
      <Turns layer={layer} members={members} names={names} path={path} change={change} />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          path={`${path}.rotation.length`}
          label={words.length}
          type="number"
          min={1}
          max={1000}
          value={length}
          onChange={(next) => change({ length: next })}
        />
        <SelectField
          path={`${path}.rotation.unit`}
          label={words.unit}
          value={unit}
          options={(['days', 'weeks'] as const).map((one) => ({
            value: one,
            text: words.units[one],
          }))}
          onChange={(next) => change({ unit: next === 'days' ? 'days' : 'weeks' })}
        />
        <TextField
          path={`${path}.rotation.handoff`}
          label={words.handoff}
          type="time"
          value={handoff}
          onChange={(next) => change({ handoff: next })}
        />
        {unit === 'weeks' && (
          <SelectField
            path={`${path}.rotation.handoff_day`}
            label={words.handoffDay}
            value={handoff_day}
            options={dayOptions}
            onChange={(next) => change({ handoff_day: next })}
          />
        )}
      </div>
      <TextField
        path={`${path}.rotation.since`}
        label={words.since}
        help={words.sinceHelp}
        type="date"
        value={since}
        onChange={(next) => change({ since: next })}
      />
      <details open={openFirst.hours}>
        <summary className="min-h-6 cursor-pointer font-medium pointer-coarse:py-2.5">
          {words.hours}
        </summary>
        <HoursField
          windows={windows}
          path={`${path}.restriction.windows`}
          change={(next) => change({ windows: next })}
        />
        {mayCountOpen(layer) && (
          <SelectField
            path={`${path}.rotation.counts`}
            label={words.counts}
            help={words.countsHelp}
            value={counts}
            options={(['all', 'open'] as const).map((one) => ({
              value: one,
              text: words.countsOptions[one],
            }))}
            onChange={(next) => change({ counts: next === 'open' ? 'open' : 'all' })}
          />
        )}
      </details>
      <details open={openFirst.dates}>
        <summary className="min-h-6 cursor-pointer font-medium pointer-coarse:py-2.5">
          {words.dates}
        </summary>
        <div className="mt-2 grid gap-3 md:grid-cols-2">
          {(['starts_at', 'ends_at'] as const).map((edge) => (
            <InstantField
              key={edge}
              path={`${path}.${edge}`}
              label={edge === 'starts_at' ? words.startsAt : words.endsAt}
              instant={layer[edge]}
              timezone={timezone}
              onChange={(instant) => change({ [edge]: instant })}
            />
          ))}
        </div>
        <p className="mt-1 text-sm text-ink3">{words.datesHelp}</p>
      </details>
    </div>
  );
}

type TurnsProps = Pick<LayerProps, 'layer' | 'members' | 'names' | 'change'> & { path: string };

function Turns({ layer: { users }, members, names, path, change }: TurnsProps) {
  return (
    <div>
      <p className="font-medium">{words.people}</p>
      <ol className="mt-1">
        {users.map((user, at) => {
          const occurrence = users.slice(0, at).filter((one) => one === user).length;
          const name = user === null ? words.nobody : (names.get(user) ?? user);
          return (
            <li
              key={`${user} ${occurrence}`}
              className="flex items-center gap-2 border-b border-line py-1"
            >
              <span className="w-5 text-end text-sm text-ink3">{at + 1}</span>
              {user !== null && <PersonMark id={user} name={name} />}
              <bdi className={`min-w-0 flex-1 truncate ${user === null ? 'text-red' : ''}`}>
                {name}
              </bdi>
              {users.length > 1 && (
                <DragHandle
                  label={words.drag}
                  value={String(at)}
                  onDrop={(to) => change({ users: withMoved(users, at, Number(to) - at) })}
                />
              )}
              <IconButton
                icon="arrow-up"
                label={words.raise(name)}
                disabled={at === 0}
                onClick={() => change({ users: withMoved(users, at, -1) })}
              />
              <IconButton
                icon="arrow-down"
                label={words.lower(name)}
                disabled={at === users.length - 1}
                onClick={() => change({ users: withMoved(users, at, 1) })}
              />
              <IconButton
                icon="x"
                label={words.drop(name)}
                onClick={() => change({ users: users.toSpliced(at, 1) })}
              />
            </li>
          );
        })}
      </ol>
      <div className="mt-2 flex flex-wrap items-end gap-2">
        <div className="min-w-48 flex-1">
          <PickField
            path={`${path}.users`}
            label={words.add}
            picks={members
              .filter(({ active }) => active !== false)
              .map((one) => ({ value: one.id, label: personName(one) }))}
            mark={({ value, label }) => <PersonMark id={value} name={label} />}
            value=""
            onChange={(id) => id !== '' && change({ users: [...users, id] })}
          />
        </div>
        <Button onClick={() => change({ users: [...users, null] })}>{words.addNobody}</Button>
      </div>
      {users.includes(null) && <p className="mt-1 text-sm text-ink3">{words.nobodyHelp}</p>}
    </div>
  );
}
