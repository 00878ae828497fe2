// A schedule as it is being made or edited, and the templates that it begins with.
import { weekdays, windowsOf } from './hours.ts';
import type { Counts, Layer, Schedule, Window } from './queries.ts';

export type DraftLayer = {
  /** Of this draft only. */
  readonly key: string;
  readonly name: string;
  readonly users: readonly (string | null)[];
  readonly length: string;
  readonly unit: 'days' | 'weeks';
  readonly handoff: string;
  readonly handoff_day: string;
  /** The local date on which the first person’s turn began; empty: when the layer is made. */
  readonly since: string;
  readonly counts: Counts;
  /** Null: always. */
  readonly windows: readonly Window[] | null;
  readonly starts_at: string | undefined;
  readonly ends_at: string | undefined;
};
export type Draft = {
  readonly name: string;
  readonly timezone: string;
  readonly team_id: string;
  readonly layers: readonly DraftLayer[];
};

export const templates = ['weekly', 'sun', 'office'] as const;
export type Template = (typeof templates)[number];

const layer = (fields: Partial<DraftLayer>, key: string): DraftLayer => ({
  key,
  name: '',
  users: [],
  length: '1',
  unit: 'weeks',
  handoff: '09:00',
  handoff_day: 'monday',
  since: '',
  counts: 'all',
  windows: null,
  starts_at: undefined,
  ends_at: undefined,
  ...fields,
});

export const newLayer = (key: string): DraftLayer => layer({}, key);

/** From Monday to Friday. */
export const workdays = (from: string, to: string): readonly Window[] =>
  windowsOf([{ from, to, days: weekdays.slice(0, 5) }]);

/** Each day; to midnight and over it, too. */
const eachDay = (from: string, to: string): readonly Window[] =>
  windowsOf([{ from, to, days: weekdays }]);

/** The layers of a template; people are still to be named. */
export function layersOf(template: Template): readonly DraftLayer[] {
  switch (template) {
    case 'weekly':
      return [newLayer('1')];
    case 'sun':
      return [
        layer({ windows: eachDay('00:00', '08:00') }, '1'),
        layer({ windows: eachDay('08:00', '16:00') }, '2'),
        layer({ windows: eachDay('16:00', '00:00') }, '3'),
      ];
    case 'office':
      return [
        newLayer('1'),
        layer({ unit: 'days', handoff: '08:00', windows: workdays('08:00', '17:00') }, '2'),
      ];
  }
}

type Drafted = Pick<Schedule, 'name' | 'timezone' | 'team_id' | 'layers'>;

export const draftOf = ({ name, timezone, team_id, layers }: Drafted): Draft => ({
  name,
  timezone,
  team_id,
  layers: layers.map((one, index) => draftLayerOf(one, String(index))),
});

function draftLayerOf(layer: Layer, key: string): DraftLayer {
  const { name = '', users, rotation, restriction, starts_at, ends_at } = layer;
  const { length, unit, handoff = '00:00', handoff_day = 'monday' } = rotation;
  const { since = '', counts = 'all' } = rotation;
  return {
    key,
    name,
    users,
    length: String(length),
    unit,
    handoff,
    handoff_day,
    since,
    counts,
    windows: restriction?.windows ?? null,
    starts_at,
    ends_at,
  };
}

/** The layers as the API takes them. */
export const layersBody = (layers: readonly DraftLayer[]) =>
  layers.map((layer) => {
    const { name, users, length, unit, handoff, handoff_day, since, windows } = layer;
    const { starts_at, ends_at } = layer;
    return {
      ...(name.trim() !== '' && { name: name.trim() }),
      users,
      rotation: {
        length: Number(length),
        unit,
        handoff,
        ...(unit === 'weeks' && { handoff_day }),
        ...(since !== '' && { since }),
        ...(mayCountOpen(layer) && layer.counts === 'open' && { counts: 'open' as const }),
      },
      ...(windows !== null && { restriction: { type: 'weekly', windows } }),
      ...(starts_at !== undefined && { starts_at }),
      ...(ends_at !== undefined && { ends_at }),
    };
  });

/** Whether turns may consist of the days alone on which the layer has hours. */
export const mayCountOpen = ({ unit, windows }: Pick<DraftLayer, 'unit' | 'windows'>): boolean =>
  unit === 'days' && windows !== null;

/** What may share turns more fairly where somebody would have no shift: the layers, from 0. */
export const countable = ({ layers }: Draft): readonly number[] =>
  layers.flatMap((layer, index) => (mayCountOpen(layer) && layer.counts === 'all' ? index : []));

/** Whether a layer has the same people after one another, but begins its circle with another. */
export const isTurned = (before: Draft, after: Draft): boolean =>
  after.layers.some(({ key, users }) => {
    const old = before.layers.find((one) => one.key === key)?.users ?? [];
    const isOf = (by: number) =>
      users.every((user, index) => user === old[(index + by) % old.length]);
    return users.length === old.length && !isOf(0) && old.some((_, by) => isOf(by));
  });

/** Whether every layer has somebody, and its hours a day: before that there is nothing to show. */
export const isComplete = ({ layers }: Draft): boolean =>
  layers.length > 0 &&
  layers.every(
    ({ users, windows }) => users.some((user) => user !== null) && windows?.length !== 0,
  );
