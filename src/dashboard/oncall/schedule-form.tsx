import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import type { Failure } from '../../client/answer.ts';
import { teamNamesQuery } from '../api/queries.ts';
import { namesById } from '../people/names-by-id.ts';
import { peopleQuery } from '../people/queries.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { withMoved } from '../ui/moved.ts';
import { PickField } from '../ui/pick-field.tsx';
import { zonesWith } from '../ui/zones.ts';
import { type Draft, type DraftLayer, newLayer } from './draft.ts';
import { LayerFields } from './layer-fields.tsx';
import { draftLayerText, layerTitle } from './layer-text.ts';
import { editWords as words } from './words.ts';

type ScheduleFormProps = {
  draft: Draft;
  change: (draft: Draft) => void;
  isNew: boolean;
  isTouched: boolean;
  isPending: boolean;
  failure: Failure | null;
  onSave: () => void;
  onCancel: () => void;
  /** Above the buttons: what a save does. */
  children: ReactNode;
};

/** So many layers are all open; of more, each is opened to be edited. */
const OPEN_AT_ONCE = 5;

/** Name, zone and layers, the highest first, as the lanes show them. */
export function ScheduleForm({ draft, change, isNew, children, ...saving }: ScheduleFormProps) {
  const { data: members = [] } = useQuery(peopleQuery);
  const { data: teams } = useQuery(teamNamesQuery);
  const count = useRef(0);
  const [openKeys, setOpenKeys] = useState<ReadonlySet<string>>(new Set());
  const { layers } = draft;
  const names = namesById(members);
  const problems = saving.failure?.type === 'refused' ? saving.failure.issues : [];
  const hasProblem = (index: number) =>
    problems.some(({ path }) => path.startsWith(`layers[${index}]`));
  const isOpen = (key: string, index: number) =>
    layers.length <= OPEN_AT_ONCE || openKeys.has(key) || hasProblem(index);
  const setLayer = (index: number, fields: Partial<DraftLayer>) => {
    const layer = layers[index];
    if (layer) change({ ...draft, layers: layers.with(index, { ...layer, ...fields }) });
  };
  const setLayers = (next: readonly DraftLayer[]) => change({ ...draft, layers: next });
  const add = () => {
    count.current += 1;
    const key = `new ${count.current}`;
    setOpenKeys(new Set([...openKeys, key]));
    setLayers([...layers, newLayer(key)]);
  };
  return (
    <Form {...saving} isLong save={isNew ? words.saveNew : words.save}>
      <TextField
        path="name"
        label={words.name}
        value={draft.name}
        maxLength={255}
        onChange={(name) => change({ ...draft, name })}
      />
      {isNew && teams && teams.size > 1 && (
        <SelectField
          path="team_id"
          label={words.team}
          value={draft.team_id}
          options={[...teams].map(([value, text]) => ({ value, text }))}
          onChange={(team_id) => change({ ...draft, team_id })}
        />
      )}
      <PickField
        path="timezone"
        label={words.timezone}
        help={words.timezoneHelp}
        picks={zonesWith(draft.timezone).map((zone) => ({ value: zone, label: zone }))}
        value={draft.timezone}
        onChange={(timezone) => timezone !== '' && change({ ...draft, timezone })}
      />
      {layers.length > 1 && <p className="text-ink2">{words.layerNote}</p>}
      {[...layers.entries()].toReversed().map(([index, layer]) => (
        <section
          key={layer.key}
          tabIndex={-1}
          aria-label={words.layer(index + 1)}
          className="rounded-lg border border-line bg-surface p-3"
        >
          <div className="mb-2 flex items-center gap-1">
            <h2 className="min-w-0 flex-1 truncate text-lg font-bold">
              <bdi>{layerTitle(layer, index)}</bdi>
            </h2>
            {layers.length > 1 && (
              <>
                <IconButton
                  icon="arrow-up"
                  label={words.raise(words.layer(index + 1))}
                  disabled={index === layers.length - 1}
                  onClick={() => setLayers(withMoved(layers, index, 1))}
                />
                <IconButton
                  icon="arrow-down"
                  label={words.lower(words.layer(index + 1))}
                  disabled={index === 0}
                  onClick={() => setLayers(withMoved(layers, index, -1))}
                />
                <IconButton
                  icon="x"
                  label={words.removeLayer(index + 1)}
                  onClick={() => setLayers(layers.toSpliced(index, 1))}
                />
              </>
            )}
          </div>
          {isOpen(layer.key, index) ? (
            <LayerFields
              layer={layer}
              index={index}
              members={members}
              names={names}
              timezone={draft.timezone}
              change={(fields) => setLayer(index, fields)}
            />
          ) : (
            <div className="flex items-center gap-3">
              <bdi className="min-w-0 flex-1 text-ink2">
                {draftLayerText(layer, { names, zone: draft.timezone })}
              </bdi>
              <Button
                onClick={({ currentTarget }) => {
                  currentTarget.closest('section')?.focus();
                  setOpenKeys(new Set([...openKeys, layer.key]));
                }}
              >
                {words.editLayer(index + 1)}
              </Button>
            </div>
          )}
        </section>
      ))}
      <Button className="self-start" onClick={add}>
        {words.addLayer}
      </Button>
      {children}
    </Form>
  );
}
