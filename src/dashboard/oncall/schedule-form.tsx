import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import type { Failure } from '../../client/answer.ts';
import { teamNamesQuery } from '../api/queries.ts';
import { peopleQuery } from '../people/queries.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { PickField } from '../ui/pick-field.tsx';
import { zonesWith } from '../ui/zones.ts';
import { type Draft, type DraftLayer, newLayer, withMoved } from './draft.ts';
import { LayerFields } from './layer-fields.tsx';
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

/** Name, zone and layers, the highest first, as the lanes show them. */
export function ScheduleForm({ draft, change, isNew, children, ...saving }: ScheduleFormProps) {
  const { data: members = [] } = useQuery(peopleQuery);
  const { data: teams } = useQuery(teamNamesQuery);
  const count = useRef(0);
  const { layers } = draft;
  const setLayer = (index: number, fields: Partial<DraftLayer>) => {
    const layer = layers[index];
    if (layer) change({ ...draft, layers: layers.with(index, { ...layer, ...fields }) });
  };
  const setLayers = (next: readonly DraftLayer[]) => change({ ...draft, layers: next });
  const add = () => {
    count.current += 1;
    setLayers([...layers, newLayer(`new ${count.current}`)]);
  };
  return (
    <Form {...saving} save={isNew ? words.create : words.save}>
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
        <section key={layer.key} className="rounded-lg border border-line bg-surface p-3">
          <div className="mb-2 flex items-center gap-1">
            <h2 className="flex-1 text-lg font-bold">{words.layer(index + 1)}</h2>
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
          <LayerFields
            {...{ layer, index, members }}
            timezone={draft.timezone}
            change={(fields) => setLayer(index, fields)}
          />
        </section>
      ))}
      <Button className="self-start" onClick={add}>
        {words.addLayer}
      </Button>
      {children}
    </Form>
  );
}
