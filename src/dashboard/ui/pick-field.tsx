// Brings Base UI: only what is loaded on demand imports this.
import { Combobox } from '@base-ui/react/combobox';
import { type ReactNode, useMemo, useRef } from 'react';
import { Field } from './field.tsx';
import { Icon } from './icon.tsx';
import { words } from './words.ts';

export type Pick = {
  readonly value: string;
  readonly label: string;
  /** Beside the label, smaller. */
  readonly hint?: string;
};

type PickFieldProps = {
  path: string;
  label: ReactNode;
  help?: ReactNode;
  /** On a desktop, the label is beside the control. */
  isRow?: boolean;
  /** Before each label, such as a person's mark. */
  mark?: (pick: Pick) => ReactNode;
  picks: readonly Pick[];
  /** None: an empty string. */
  value: string;
  onChange: (value: string) => void;
  /** The picks are those for what is typed, such as what a search answers. */
  onType?: (typed: string) => void;
  /** Somebody types: from then on, a default that becomes known would undo it. */
  onEdit?: () => void;
};

/** One of many, found by typing. Items are ids: picks that are read anew do not undo what is typed. */
export function PickField({
  path,
  label,
  help,
  isRow,
  mark,
  picks,
  value,
  onChange,
  onType,
  onEdit,
}: PickFieldProps) {
  const byId = new Map(picks.map((pick) => [pick.value, pick]));
  const ids = JSON.stringify([...byId.keys()]);
  const items: readonly string[] = useMemo(() => JSON.parse(ids), [ids]);
  const wasFocused = useRef(false);
  return (
    <Field path={path} label={label} help={help} isRow={isRow}>
      {(control) => (
        <Combobox.Root
          items={items}
          itemToStringLabel={(id: string) => byId.get(id)?.label ?? ''}
          value={byId.has(value) ? value : null}
          onValueChange={(id: string | null) => onChange(id ?? '')}
          {...(onType && { filter: null, onInputValueChange: onType })}
          autoHighlight
        >
          <Combobox.InputGroup className="flex h-9 items-center rounded-md border border-edge bg-surface has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-iris pointer-coarse:h-11">
            <Combobox.Input
              {...control}
              onInput={onEdit}
              // What is typed replaces the value. The click that focuses the field would put the
              // cursor into the text, so it selects again.
              onFocus={({ currentTarget }) => currentTarget.select()}
              onPointerDown={({ currentTarget }) => {
                wasFocused.current = document.activeElement === currentTarget;
              }}
              onClick={({ currentTarget }) => wasFocused.current || currentTarget.select()}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || !matchesNothing(event.currentTarget)) return;
                // It would put the old value back and submit the form.
                event.preventDefault();
                event.preventBaseUIHandler();
              }}
              placeholder={words.pick}
              className="h-full min-w-0 flex-1 bg-transparent px-2.5 outline-none placeholder:text-ink3 pointer-coarse:text-lg"
            />
            <Combobox.Trigger
              aria-label={words.showAll}
              className="inline-flex h-full w-9 items-center justify-center pointer-coarse:w-11"
            >
              <Icon name="chevrons-up-down" className="size-3.5" />
            </Combobox.Trigger>
          </Combobox.InputGroup>
          <Combobox.Portal>
            <Combobox.Positioner sideOffset={4} className="z-60 outline-none">
              <Combobox.Popup className="max-h-(--available-height) w-(--anchor-width) overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-popup">
                <Combobox.Empty className="px-2 py-1.5 text-ink3 empty:hidden">
                  {words.noMatch}
                </Combobox.Empty>
                <Combobox.List className="max-h-72 overflow-y-auto overscroll-contain outline-none">
                  {(id: string) => (
                    <Combobox.Item
                      key={id}
                      value={id}
                      className="flex min-h-8 cursor-pointer items-center gap-2 rounded-md px-2 outline-none select-none data-highlighted:bg-sunken pointer-coarse:min-h-11 pointer-coarse:text-lg"
                    >
                      <PickText pick={byId.get(id)} mark={mark} />
                      <Combobox.ItemIndicator className="ms-auto">
                        <Icon name="check" />
                      </Combobox.ItemIndicator>
                    </Combobox.Item>
                  )}
                </Combobox.List>
              </Combobox.Popup>
            </Combobox.Positioner>
          </Combobox.Portal>
        </Combobox.Root>
      )}
    </Field>
  );
}

const matchesNothing = ({ dataset, ariaExpanded }: HTMLInputElement) =>
  'listEmpty' in dataset && ariaExpanded === 'true';

const PickText = ({ pick, mark }: { pick: Pick | undefined; mark: PickFieldProps['mark'] }) =>
  pick && (
    <>
      {mark?.(pick)}
      <bdi className="min-w-0 truncate">{pick.label}</bdi>
      {pick.hint && <span className="min-w-0 truncate text-sm text-ink3">{pick.hint}</span>}
    </>
  );
