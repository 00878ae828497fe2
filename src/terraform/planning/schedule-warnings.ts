// What a plan does to a schedule that its diff does not show: whom it tells, and what it removes.
import { type Declared, type DeclaredLayer, pairLayers } from '../../oncall/revisions/edits.ts';
import { preserveLayers } from '../../oncall/revisions/preserved-layers.ts';
import type { Problem } from '../../resources/declaration/resource.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { fieldOf, fromRecord, isList, toJson } from '../convert.ts';
import type { NameOf } from '../people.ts';
import { Unknown, type Value } from '../protocol/value.ts';
import { resourceAttributes } from '../schema.ts';
import { reconcile } from './reconcile.ts';

type Json = Readonly<Record<string, unknown>>;

export type ScheduleChange = {
  /** As the service has it, with what only the dashboard can set. */
  readonly before: Json;
  /** What it is to be; some of it may be unknown. */
  readonly planned: Value;
  readonly nameOf: NameOf;
  readonly now: number;
};

export type LayerEffect = Problem & {
  readonly code: 'layer_starts' | 'layer_loses' | 'layer_regenerated' | 'layer_removed';
  /** By position, from 1. */
  readonly layer: number;
};

const attributes = resourceAttributes(oncallSchedule);
const NAMES_MAX = 3;

/** Only what is certain is reported: what is unknown may turn out to be as it was. */
export function scheduleWarnings(change: ScheduleChange): readonly LayerEffect[] {
  const { before, planned, now } = change;
  if (fieldOf(planned, 'layers') instanceof Unknown) return [];
  const was = scheduleIn(before);
  const prior = fromRecord(attributes, before);
  const written = scheduleIn(toJson(attributes, reconcile(planned, prior)));
  // Layers that stay as Terraform has them are not written, and keep what it cannot express.
  const isUnchanged = mayBe(fieldOf(planned, 'layers'), fieldOf(prior, 'layers'));
  const preserved = isUnchanged
    ? { layers: was.layers, changed: [] }
    : preserveLayers(was.layers, written.layers);
  const is = { ...written, layers: preserved.layers };
  const unclear = layersOf(planned).filter(hasUnknown);
  const changed = preserved.changed.filter((index) => {
    const known = layersOf(prior)[index] ?? null;
    return !unclear.some((layer) => mayBe(layer, known));
  });
  const changes = changed.flatMap((index) => {
    const layer = was.layers[index];
    return layer ? [{ layer, index }] : [];
  });
  const pairs = pairLayers(was, is);
  const begun = changes.filter(({ index }) => pairs.some((pair) => pair.before === index));
  return [
    ...begun.flatMap((one) => startsBy(one, now)),
    ...changes.flatMap(lostBy),
    ...regeneratedBy(change, { was, is, prior }),
  ];
}

type ChangedLayer = { readonly layer: DeclaredLayer; readonly index: number };

/** A layer that would begin and had not: people are on call at once. */
function startsBy({ layer: { starts_at }, index }: ChangedLayer, now: number): LayerEffect[] {
  if (starts_at === undefined || Date.parse(starts_at) <= now) return [];
  const message = `Layer ${index + 1} STARTS AT ONCE and puts people on call: it had not started, and Terraform removes its start at ${starts_at}.`;
  return [{ path: 'layers', code: 'layer_starts', layer: index + 1, message }];
}

type Declarations = { readonly was: Declared; readonly is: Declared; readonly prior: Value };

function regeneratedBy({ planned, nameOf }: ScheduleChange, { was, is, prior }: Declarations) {
  const [old, layers] = [layersOf(prior), layersOf(planned)];
  const pairs = pairLayers(was, is);
  const isUnclear = layers.some(hasUnknown);
  const isMoved = was.timezone !== is.timezone;
  const regenerated = layers.flatMap((layer, index): LayerEffect[] => {
    const pair = pairs[index];
    const mayStay = isUnclear && !isMoved && old.some((one) => mayBe(layer, one));
    if (!pair?.regenerated || mayStay) return [];
    const done = pair.before === null ? 'is added' : 'is edited';
    const message = `${layerNamed(index, layer, nameOf)} ${done}: its shifts are regenerated.`;
    return [{ path: `layers[${index}]`, code: 'layer_regenerated', layer: index + 1, message }];
  });
  const removed = old.flatMap((layer, index): LayerEffect[] => {
    const isPaired = index < layers.length || layers.some((one) => mayBe(one, layer));
    const mayStay = isUnclear && isPaired;
    if (mayStay || pairs.some((pair) => pair.before === index)) return [];
    const message = `${layerNamed(index, layer, nameOf)} is removed: its shifts end.`;
    return [{ path: 'layers', code: 'layer_removed', layer: index + 1, message }];
  });
  return [...regenerated, ...removed];
}

/** Whether a layer, whatever its unknown parts turn out to be, can be equal to another. */
const mayBe = (layer: Value, known: Value): boolean =>
  JSON.stringify(reconcile(layer, known)) === JSON.stringify(known);

function hasUnknown(value: Value): boolean {
  if (value instanceof Unknown) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasUnknown);
}

/** "Layer 2 (Ada, Grace)": by position, as in the configuration; each person once. */
function layerNamed(index: number, layer: Value, nameOf: NameOf): string {
  const users = fieldOf(layer, 'users');
  const ids = new Set(isList(users) ? users.filter((user) => typeof user === 'string') : []);
  const names = [...ids].slice(0, NAMES_MAX).map(nameOf);
  if (ids.size > NAMES_MAX) names.push(`${ids.size - NAMES_MAX} more`);
  return names.length > 0 ? `Layer ${index + 1} (${names.join(', ')})` : `Layer ${index + 1}`;
}

export type Overview = { readonly hasEnded: boolean; readonly texts: readonly string[] };

/** What a state does not show, and leaves somebody out of a schedule now or later. */
export function absences(schedule: Json, now: number): Overview {
  const { layers } = scheduleIn(schedule);
  const isOver = (time: string | undefined) => time !== undefined && Date.parse(time) <= now;
  const texts = layers.flatMap(({ users, starts_at, ends_at }, index) =>
    [
      ...(users.includes(null) ? ['has turns with nobody'] : []),
      ...(starts_at === undefined || isOver(starts_at) ? [] : [`starts only at ${starts_at}`]),
      ...(ends_at === undefined ? [] : [`${isOver(ends_at) ? 'ended' : 'ends'} at ${ends_at}`]),
    ].map((what) => `Layer ${index + 1} ${what}.`),
  );
  return { hasEnded: layers.every(({ ends_at }) => isOver(ends_at)), texts };
}

/** What only the dashboard and the API can set; a layer that is changed from here is without it. */
function lostBy({ layer, index }: ChangedLayer): LayerEffect[] {
  const { users, rotation, starts_at, ends_at } = layer;
  const { since, counts } = rotation;
  const lost = [
    ...(users.includes(null) ? ['turns with nobody'] : []),
    ...(since === undefined ? [] : [`the date ${since} that its turns are counted from`]),
    ...(counts === 'open' ? ['turns that count only open days'] : []),
    ...(starts_at === undefined ? [] : [`its start at ${starts_at}`]),
    ...(ends_at === undefined ? [] : [`its end at ${ends_at}`]),
  ];
  if (lost.length === 0) return [];
  const message = `Layer ${index + 1} loses ${lost.join(' and ')}: Terraform cannot express this.`;
  return [{ path: 'layers', code: 'layer_loses', layer: index + 1, message }];
}

function layersOf(schedule: Value): readonly Value[] {
  const layers = fieldOf(schedule, 'layers');
  return isList(layers) ? layers : [];
}

type StoredLayer = DeclaredLayer & { readonly id?: string; readonly anchor?: unknown };

/** The layers without what the service adds. */
function scheduleIn({ timezone, layers }: Json): Declared {
  // As the declaration says, but where something is yet to be known: these are only compared.
  const stored = layers as readonly (StoredLayer | null)[];
  const declared = stored.map((layer) => {
    const { id: _id, anchor: _anchor, ...own } = layer ?? ({} as StoredLayer);
    return { ...own, users: own.users ?? [], rotation: own.rotation ?? {} };
  });
  return { timezone: String(timezone), layers: declared };
}
