// What the API answers of a schedule beside its declared fields: the anchors of its layers.
import Type from 'typebox';
import { pairLayers } from '../../oncall/revisions/edits.ts';
import { preserveLayers } from '../../oncall/revisions/preserved-layers.ts';
import { pickByDesign } from '../../oncall/schedule.ts';
import { objectOf } from '../../resources/declaration/field.ts';
import { isObject } from '../../resources/declaration/is-object.ts';
import {
  newFieldsOf,
  type OncallSchedule,
  oncallSchedule,
  problemsAt,
} from '../../resources/oncall-schedule.ts';
import { declaredSchedule } from '../../storage/oncall/revisions.ts';
import { needsNewScheduleRules } from '../../storage/oncall/schedule-rules.ts';
import type { StoredRecord } from '../../storage/records/rows.ts';
import type { RecordFields } from './body.ts';
import type { RecordHooks } from './record-hooks.ts';

export const scheduleHooks: RecordHooks = {
  // What has no right shape has no right time either.
  check({ before, written: { fields, problems }, now }, _lookup, { isUpgrading }) {
    if (problems.length > 0 || !areKnown(fields['layers'])) return [];
    const schedule = fields as OncallSchedule;
    const early = isUpgrading ? newFieldsOf(schedule) : [];
    const message = needsNewScheduleRules;
    const late = problemsAt(schedule, now, before && sinceBefore(before, fields));
    return [...early.map((path) => ({ path, message })), ...late];
  },
  keep(fields, before) {
    const [was, is] = [declaredSchedule(before.fields), declaredSchedule(fields)];
    return {
      ...pickByDesign(was),
      ...fields,
      layers: preserveLayers(was.layers, is.layers).layers,
    };
  },
  committed: ({ scheduleCommitted }) => scheduleCommitted(),
  warn: ({ scheduleWarnings }, saved) => scheduleWarnings(saved),
};

/** Of a preview, parts of layers may be not known yet: absent, or holes. They are checked at the write. */
const areKnown = (layers: unknown): boolean =>
  Array.isArray(layers) &&
  Array.from<unknown>(layers).every(
    (layer) =>
      isObject(layer) &&
      isObject(layer['rotation']) &&
      Array.isArray(layer['users']) &&
      !Array.from<unknown>(layer['users']).includes(undefined),
  );

/** The date that each layer has already, by its index in what is written. */
function sinceBefore(before: StoredRecord, fields: RecordFields) {
  const [was, is] = [declaredSchedule(before.fields), declaredSchedule(fields)];
  const pairs = pairLayers(was, is);
  return (index: number) => was.layers[pairs[index]?.before ?? -1]?.rotation.since;
}

const anchor = objectOf(
  {
    at: Type.String({
      format: 'date-time',
      description: 'A time at which a turn of this layer begins, such as 2026-01-31T09:00:00Z.',
    }),
    turn: Type.Integer({
      description: 'The index in users of the person who has that turn, from 0.',
    }),
  },
  'One known turn of the rotation, which determines all others.',
);

const layer = oncallSchedule.fields.layers.items;

/** Layers with what is stored beside them. */
export const layersWithAnchors = Type.Array(
  objectOf({
    id: Type.String({
      description: 'The id of the layer. An edit that changes the layer gives it a new id.',
    }),
    anchor,
    ...layer.properties,
  }),
  { description: 'The layers, lowest first, each with its id and its anchor.' },
);

export const scheduleConfigShape = objectOf({
  ...oncallSchedule.output.properties,
  layers: layersWithAnchors,
});

/** A schedule with the id and the anchor of each layer. */
export function withAnchors(
  rendered: object,
  { fields, anchors = [] }: Pick<StoredRecord, 'fields' | 'anchors'>,
): object {
  const layers = fields['layers'] as readonly object[];
  return {
    ...rendered,
    layers: layers.map((layer, index) => {
      const { id, at, turn } = anchors[index] ?? {};
      return { id, ...layer, anchor: { at, turn } };
    }),
  };
}
