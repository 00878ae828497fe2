// The setting `grouping` in the form of an integration.
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Suspense, use, useState } from 'react';
import { isObject } from '../../../resources/declaration/is-object.ts';
import { sendsGroups } from '../../../resources/grouping-types.ts';
import { type FieldProps, FormAround, OneField } from '../../form/around.tsx';
import { bodyOf, type Draft, withValue } from '../../form/draft.ts';
import { Group } from '../../form/group.tsx';
import { pathTo } from '../../form/parts.ts';
import { lazyPart } from '../../shell/lazy-part.ts';
import { Radios } from '../../ui/radios.tsx';
import { byOfWay, valuesOf, type Way, wayOf, waysFor } from './grouping.ts';
import { ownDetailKeysQuery } from './queries.ts';
import { Values } from './values.tsx';
import { words } from './words.ts';

const GroupingTrial = lazyPart(() => import('./trial.tsx'), 'GroupingTrial');

export function GroupingField({ field, path, value, onChange }: FieldProps) {
  const { draft: record, problems } = use(FormAround);
  const [isByValues, setByValues] = useState(false);
  const slug = String(record['slug'] ?? '');
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const { data: keys } = useQuery(ownDetailKeysQuery(id));
  const by = valuesOf(value);
  // A single value that is the group of the tool is still one of the values that are being chosen.
  const way = isByValues && by.length > 0 ? 'values' : wayOf(by);
  const isOff = record['disable_incident_suppression'] === true;
  const fields = field.widget.type === 'object' ? field.widget.fields : [];
  const grouping: Draft = isObject(value) ? value : {};
  const set = (name: string, next: unknown) => onChange(withValue(fields, grouping, [name, next]));
  const window = fields.find(({ name }) => name === 'window');
  const choose = (next: Way) => {
    setByValues(next === 'values');
    if (next === 'none') onChange({ by: byOfWay.none });
    else set('by', byOfWay[next]);
  };
  return (
    <Group path={path} label={words.label} help={words.help}>
      {isOff && <p className="rounded-lg bg-amber-tint px-3 py-2 text-pretty">{words.off}</p>}
      <Group path={pathTo(path, 'by')} label={words.by} isHidden>
        {(!isOff || way !== 'none') && (
          <Radios
            choices={waysFor(slug, by).map((one) => ({
              text: words.ways[one],
              isChosen: one === way,
              choose: () => choose(one),
            }))}
          />
        )}
        {!isOff && <p className="text-sm text-pretty text-ink3">{words.waysText[way]}</p>}
        {way === 'values' && (
          <Values
            hasGroups={sendsGroups(slug)}
            by={by}
            keys={keys}
            path={pathTo(path, 'by')}
            onChange={(next) => set('by', next)}
          />
        )}
      </Group>
      {way !== 'none' && window && (
        <OneField
          field={{ ...window, label: words.window }}
          path={pathTo(path, window.name)}
          value={grouping[window.name]}
          onChange={(next) => set(window.name, next)}
        />
      )}
      {way !== 'none' && !isOff && (
        <Suspense>
          <GroupingTrial
            grouping={bodyOf(fields, grouping)}
            isComplete={!problems.some((one) => isIn(one.path, path))}
          />
        </Suspense>
      )}
    </Group>
  );
}

const isIn = (path: string, whole: string) =>
  path.startsWith(whole) && /^(?:[.[]|$)/.test(path.slice(whole.length));
