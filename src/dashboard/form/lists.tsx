import { use, useRef } from 'react';
import { isObject } from '../../resources/declaration/is-object.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { withMoved } from '../ui/moved.ts';
import { PickField } from '../ui/pick-field.tsx';
import { type FieldProps, FormAround, labelOf, OneField, RecordFields } from './around.tsx';
import { blankOf, isRows, type Row } from './draft.ts';
import type { Field, Widget } from './form.ts';
import { Group } from './group.tsx';
import { memberLabelOf } from './labels.ts';
import { MemberButtons, useKeys } from './members.tsx';
import { pathOfMember, pathOfRow } from './parts.ts';
import { usePicks } from './picks.ts';
import { words } from './words.ts';

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Some of a few. */
export function ChoicesField({ field, path, value, onChange }: FieldProps<'choices'>) {
  const chosen = listOf(value);
  const { choices } = field.widget;
  const set = (one: string, isChosen: boolean) => {
    const next = choices
      .map((choice) => choice.value)
      .filter((each) => (each === one ? isChosen : chosen.includes(each)));
    onChange(next.length === 0 && !field.isRequired ? undefined : next);
  };
  return (
    <Group path={path} label={labelOf(field)} help={field.help} isList>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="inline-flex items-center gap-2 pointer-coarse:min-h-11 pointer-coarse:text-lg"
          >
            <input
              type="checkbox"
              checked={chosen.includes(choice.value)}
              onChange={({ target }) => set(choice.value, target.checked)}
              className="size-4 accent-ink pointer-coarse:size-5"
            />
            {choice.text}
          </label>
        ))}
      </div>
    </Group>
  );
}

/** Records that are named, in their order. */
export function RecordsField({ field, path, value, onChange }: FieldProps<'records'>) {
  const { to, within } = field.widget;
  const { teamId } = use(FormAround);
  const picks = usePicks(to, within === 'team' ? teamId : undefined) ?? [];
  const ids = listOf(value).map(String);
  const what = memberLabelOf(field.name);
  const set = (next: readonly string[]) =>
    onChange(next.length === 0 && !field.isRequired ? undefined : next);
  const nameOf = (id: string) => picks.find((pick) => pick.value === id)?.label ?? id;
  return (
    <Group path={path} label={labelOf(field)} help={field.help} isList>
      {ids.length > 0 && (
        <ul>
          {ids.map((id, index) => (
            <li
              key={`${id} ${index}`}
              className="flex min-h-9 items-center gap-2 border-b border-line last:border-b-0"
            >
              <bdi className="min-w-0 flex-1 truncate">{nameOf(id)}</bdi>
              <IconButton
                icon="x"
                label={words.removeOne(nameOf(id))}
                onClick={() => set(ids.filter((_, at) => at !== index))}
              />
            </li>
          ))}
        </ul>
      )}
      <PickField
        path={`${path}[]`}
        label={words.add(what)}
        picks={picks.filter((pick) => !ids.includes(pick.value))}
        value=""
        onChange={(id) => id !== '' && set([...ids, id])}
      />
    </Group>
  );
}

type MemberField = Field & { readonly widget: Widget };

/** Members of any kind, which can be moved: their order matters. */
export function ListField({ field, path, value, onChange }: FieldProps<'list'>) {
  const { member, canBeNull } = field.widget;
  const members = listOf(value);
  const keys = useKeys(members.length);
  const group = useRef<HTMLDivElement>(null);
  const what = memberLabelOf(field.name);
  const set = (next: readonly unknown[]) =>
    onChange(next.length === 0 && !field.isRequired ? undefined : next);
  const memberField = (index: number): MemberField => ({
    name: field.name,
    label: words.member(what, index + 1),
    help: '',
    isRequired: true,
    widget: member,
  });
  return (
    <Group path={path} label={labelOf(field)} help={field.help}>
      <div ref={group} tabIndex={-1} className="flex flex-col gap-3 empty:hidden">
        {members.map((one, index) => {
          const label = words.member(what, index + 1);
          const isWhole = member.type !== 'object' && member.type !== 'variant';
          const change = (next: unknown) => set(members.with(index, next));
          return (
            <Group
              key={keys.of(index)}
              path={isWhole ? '' : pathOfMember(path, index)}
              label={label}
              isMember
              action={
                <MemberButtons
                  label={label}
                  index={index}
                  count={members.length}
                  keys={keys}
                  onMove={(steps) => set(withMoved(members, index, steps))}
                  onRemove={() => {
                    set(members.toSpliced(index, 1));
                    // The button goes, and the focus would be nowhere.
                    group.current?.focus();
                  }}
                />
              }
            >
              {one === null && canBeNull ? (
                <p className="text-ink2">{words.nobody}</p>
              ) : member.type === 'object' ? (
                // The group around it has its name already.
                <RecordFields
                  fields={member.fields}
                  draft={isObject(one) ? one : {}}
                  path={pathOfMember(path, index)}
                  onChange={change}
                />
              ) : (
                <OneField
                  field={memberField(index)}
                  path={pathOfMember(path, index)}
                  value={one}
                  onChange={change}
                />
              )}
            </Group>
          );
        })}
      </div>
      <Button
        icon="plus"
        className="self-start"
        onClick={() => set([...members, blankOf(member) ?? ''])}
      >
        {words.add(what)}
      </Button>
    </Group>
  );
}

/** Names and what each has. */
export function MapField({ field, path, value, onChange }: FieldProps<'map'>) {
  const rows: readonly Row[] = isRows(value) ? value : [];
  const keys = useKeys(rows.length);
  const group = useRef<HTMLDivElement>(null);
  const what = memberLabelOf(field.name);
  const set = (next: readonly Row[]) =>
    onChange(next.length === 0 && !field.isRequired ? undefined : next);
  return (
    <Group path={path} label={labelOf(field)} help={field.help}>
      <div ref={group} tabIndex={-1} className="flex flex-col gap-3 empty:hidden">
        {rows.map(([name, one], index) => {
          const label = words.member(what, index + 1);
          return (
            <Group
              key={keys.of(index)}
              path=""
              label={label}
              isMember
              action={
                <IconButton
                  icon="x"
                  label={words.remove(label)}
                  onClick={() => {
                    keys.remove(index);
                    set(rows.filter((_, at) => at !== index));
                    group.current?.focus();
                  }}
                />
              }
            >
              <TextField
                path=""
                label={words.rowName}
                autoComplete="off"
                spellCheck={false}
                value={name}
                onChange={(typed) => set(rows.with(index, [typed, one]))}
              />
              <OneField
                field={{
                  name: 'value',
                  label: words.rowValue,
                  help: '',
                  isRequired: true,
                  widget: field.widget.value,
                }}
                path={pathOfRow(path, name)}
                value={one}
                onChange={(typed) => set(rows.with(index, [name, typed]))}
              />
            </Group>
          );
        })}
      </div>
      <Button
        icon="plus"
        className="self-start"
        onClick={() => set([...rows, ['', blankOf(field.widget.value)]])}
      >
        {words.add(what)}
      </Button>
    </Group>
  );
}
