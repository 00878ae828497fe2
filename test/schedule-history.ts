// Histories of schedules, changed as storage changes them: each edit has a number, and takes effect
// at an instant that no look has reached yet.
import { declaredOf } from '../src/oncall/revisions/content.ts';
import { type DeclaredLayer, editLayers } from '../src/oncall/revisions/edits.ts';
import type { History } from '../src/oncall/revisions/history.ts';
import type { Override } from '../src/oncall/schedule.ts';

export type Edit = { readonly edit: number; readonly at: Temporal.Instant };
export type Save = {
  readonly timezone?: string;
  readonly layers?: readonly DeclaredLayer[];
  readonly archived?: boolean;
};

/** Whoever takes turns of a day each, changed at midnight. */
export const daily = (...users: readonly (string | null)[]): DeclaredLayer => ({
  users,
  rotation: { unit: 'days', length: 1 },
});

export const noHistory: History = { revisions: [], overrides: [] };

/** What is not said stays as it was. */
export function saved(history: History, { edit, at }: Edit, save: Save): History {
  const before = history.revisions.at(-1) ?? null;
  const timezone = save.timezone ?? before?.timezone ?? 'Etc/UTC';
  const declared = save.layers ?? before?.layers.map(declaredOf) ?? [];
  const layers = editLayers({
    before,
    past: history.revisions,
    after: { timezone, layers: declared },
    now: at,
    isActive: (user) => !isInactive(history, user),
    nextId: () => `layer${edit}`,
  });
  const archived = save.archived ?? before?.archived ?? false;
  const revision = { edit, from: at, archived, timezone, layers };
  return { ...history, revisions: [...history.revisions, revision] };
}

export function overridden(history: History, { edit, at }: Edit, override: Override): History {
  const version = { ...override, edit, in_force_from: at, ended: null };
  return { ...history, overrides: [...history.overrides, version] };
}

export function withdrawn(history: History, ended: Edit, id: string): History {
  const overrides = history.overrides.map((version) =>
    version.id === id && version.ended === null ? { ...version, ended } : version,
  );
  return { ...history, overrides };
}

const isInactive = ({ inactive = [] }: History, user_id: string) =>
  inactive.some((one) => one.user_id === user_id && one.end === null);

/** Whoever is inactive already stays so. */
export function deactivated(history: History, { edit, at }: Edit, user_id: string): History {
  if (isInactive(history, user_id)) return history;
  const { inactive = [] } = history;
  return {
    ...history,
    inactive: [...inactive, { user_id, start: at, end: null, edit, ended_edit: null }],
  };
}

export function reactivated(history: History, { edit, at }: Edit, user_id: string): History {
  const { inactive } = history;
  if (inactive === undefined) return history;
  return {
    ...history,
    inactive: inactive.map((one) =>
      one.user_id === user_id && one.end === null ? { ...one, end: at, ended_edit: edit } : one,
    ),
  };
}
