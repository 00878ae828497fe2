// What one write changed of a schedule, told by path.
import type { Layer, Revision, RevisionLayer } from './queries.ts';

const layerFields = ['name', 'users', 'rotation', 'restriction', 'starts_at', 'ends_at'] as const;

export type Difference =
  | { readonly path: 'archived'; readonly after: boolean }
  | { readonly path: 'timezone'; readonly before: string; readonly after: string }
  /** Numbers of layers count from 1; null: it was not there, or is no more. */
  | {
      readonly path: 'layer';
      readonly before: number | null;
      readonly after: number | null;
      readonly layer: RevisionLayer;
    }
  | {
      readonly path: (typeof layerFields)[number];
      readonly number: number;
      readonly before: Layer;
      readonly after: Layer;
    };

/** From one revision to the next; the first one of all has none before it. */
export function differencesOf(before: Revision, after: Revision): readonly Difference[] {
  const placeIn = ({ layers }: Revision, id: string) => {
    const index = layers.findIndex((one) => one.id === id);
    return index < 0 ? null : index + 1;
  };
  const ofLayers = after.layers.flatMap((layer, index): Difference[] => {
    const was = before.layers.find(({ id }) => id === layer.id);
    const number = index + 1;
    if (was === undefined) return [{ path: 'layer', before: null, after: number, layer }];
    const fields = layerFields.filter(
      (field) => JSON.stringify(was[field]) !== JSON.stringify(layer[field]),
    );
    const place = placeIn(before, layer.id);
    return [
      ...(place === number
        ? []
        : [{ path: 'layer' as const, before: place, after: number, layer }]),
      ...fields.map((path) => ({ path, number, before: was, after: layer })),
    ];
  });
  return [
    ...(before.archived === after.archived
      ? []
      : [{ path: 'archived' as const, after: after.archived }]),
    ...(before.timezone === after.timezone
      ? []
      : [{ path: 'timezone' as const, before: before.timezone, after: after.timezone }]),
    ...before.layers
      .filter(({ id }) => placeIn(after, id) === null)
      .map((layer) => ({
        path: 'layer' as const,
        before: placeIn(before, layer.id),
        after: null,
        layer,
      })),
    ...ofLayers,
  ];
}
