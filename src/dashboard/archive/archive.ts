// What is archived, of all kinds.
export type Archived = {
  readonly kind: string;
  /** Of its kind, in the API and in the dashboard. */
  readonly path: string;
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly archived_at: string;
};

type Shown = { readonly kind: string | undefined; readonly text: string };

/** The newest first. */
export const archivedOf = (all: readonly Archived[], { kind, text }: Shown): readonly Archived[] =>
  all
    .filter((one) => kind === undefined || one.kind === kind)
    .filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()))
    .toSorted((one, other) => other.archived_at.localeCompare(one.archived_at));
