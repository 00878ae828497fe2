import { useState } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import { ProblemText, SelectField, TextField, useProblem } from '../ui/field.tsx';
import {
  type Hours,
  type HoursRow,
  hoursOf,
  isNextDay,
  presets,
  weekdays,
  wholeWeekend,
  windowsOf,
  withDay,
} from './hours.ts';
import { dayText } from './hours-text.ts';
import type { Window } from './queries.ts';
import { editWords, hoursWords as words } from './words.ts';

type HoursFieldProps = {
  windows: readonly Window[] | null;
  /** Of the windows. */
  path: string;
  change: (windows: readonly Window[] | null) => void;
};

/** Rows stay as they are typed, also two with the same times, until the windows are others. */
export function HoursField({ windows, path, change }: HoursFieldProps) {
  const [stored] = useState(windows ?? []);
  const [typed, setTyped] = useState(() => ({ windows, hours: hoursOf(windows ?? []) }));
  const problem = useProblem(path, true);
  const hours = typed.windows === windows ? typed.hours : hoursOf(windows ?? []);
  const set = (next: readonly Hours[]) => {
    const after = next.length === 0 ? null : windowsOf(next, stored);
    setTyped({ windows: after, hours: next });
    change(after);
  };
  const adding = [
    { text: words.add, hours: presets.office },
    { text: words.addNights, hours: presets.nights },
    { text: words.addWeekend, hours: presets.weekend },
    { text: words.addSpan, hours: { window: wholeWeekend } },
  ];
  return (
    <fieldset name={path} tabIndex={-1} className="mt-2 flex min-w-0 flex-col gap-3">
      <legend className="sr-only">{words.title}</legend>
      <ProblemText problem={problem} />
      {hours.map((one, at) => {
        const part = {
          path: `${path}.hours[${at}]`,
          number: at + 1,
          drop: () => set(hours.toSpliced(at, 1)),
        };
        return 'window' in one ? (
          <SpanFields
            key={part.path}
            {...part}
            window={one.window}
            change={(window) => set(hours.with(at, { window }))}
          />
        ) : (
          <RowFields
            key={part.path}
            {...part}
            row={one}
            change={(row) => set(hours.with(at, row))}
          />
        );
      })}
      <div className="flex flex-wrap gap-2">
        {adding.map((one) => (
          <Button key={one.text} onClick={() => set([...hours, one.hours])}>
            {one.text}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}

type PartProps = { path: string; number: number; drop: () => void };

type TimeFieldProps = {
  path: string;
  label: string;
  help?: string | false;
  value: string;
  onChange: (value: string) => void;
};

/** It cannot be emptied: no hours begin or end without a time. */
const TimeField = ({ onChange, ...rest }: TimeFieldProps) => (
  <TextField {...rest} type="time" onChange={(value) => value !== '' && onChange(value)} />
);

type RowFieldsProps = PartProps & { row: HoursRow; change: (row: HoursRow) => void };

function RowFields({ path, number, drop, row, change }: RowFieldsProps) {
  const { from, to, days } = row;
  return (
    <fieldset className="flex min-w-0 flex-col gap-2 border-b border-line pb-3">
      <legend className="sr-only">{words.hours(number)}</legend>
      <div className="grid grid-cols-[1fr_1fr_auto] items-start gap-2">
        <TimeField
          path={`${path}.from`}
          label={words.from}
          value={from}
          onChange={(next) => change({ ...row, from: next })}
        />
        <TimeField
          path={`${path}.to`}
          label={words.to}
          help={isNextDay(row) && words.nextDay}
          value={to}
          onChange={(next) => change({ ...row, to: next })}
        />
        <IconButton
          icon="x"
          className="mt-6"
          label={editWords.drop(words.hours(number))}
          onClick={drop}
        />
      </div>
      <div className="flex flex-wrap gap-1">
        {weekdays.map((day) => (
          <label key={day} className="day-box">
            <input
              type="checkbox"
              className="sr-only"
              aria-label={editWords.days[day]}
              checked={days.includes(day)}
              onChange={({ target }) => change(withDay(row, day, target.checked))}
            />
            {dayText(day)}
          </label>
        ))}
      </div>
      {days.length === 0 && <p className="text-sm font-medium text-red">{words.noDay}</p>}
    </fieldset>
  );
}

type SpanFieldsProps = PartProps & { window: Window; change: (window: Window) => void };

const dayOptions = weekdays.map((day) => ({ value: day, text: editWords.days[day] }));

/** Over several days, as it is written. */
function SpanFields({ path, number, drop, window, change }: SpanFieldsProps) {
  const edit = (fields: Partial<Window>) => change({ ...window, ...fields });
  return (
    <fieldset className="grid grid-cols-[1fr_1fr_auto] items-end gap-2 border-b border-line pb-3">
      <legend className="sr-only">{words.hours(number)}</legend>
      <SelectField
        path={`${path}.from_day`}
        label={words.fromDay}
        options={dayOptions}
        value={window.from_day}
        onChange={(from_day) => edit({ from_day })}
      />
      <TimeField
        path={`${path}.from_time`}
        label={words.from}
        value={window.from_time}
        onChange={(from_time) => edit({ from_time })}
      />
      <SelectField
        path={`${path}.to_day`}
        label={words.toDay}
        options={dayOptions}
        value={window.to_day}
        onChange={(to_day) => edit({ to_day })}
      />
      <TimeField
        path={`${path}.to_time`}
        label={words.to}
        value={window.to_time}
        onChange={(to_time) => edit({ to_time })}
      />
      <IconButton
        icon="x"
        className="col-start-3 row-start-1"
        label={editWords.drop(words.hours(number))}
        onClick={drop}
      />
    </fieldset>
  );
}
