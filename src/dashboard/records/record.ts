// A kind of record as its pages know it; what it is made of is in its declaration.
import type { ManagedBy } from '../../resources/declaration/managed-by.ts';
import type { Draft } from '../form/draft.ts';
import type { IconName } from '../ui/icon.tsx';

/** What every record has; the fields of its kind are beside it. */
export type DashboardRecord = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly counter: number;
  readonly version: number;
  readonly team_id: string;
  readonly updated_at: string;
  readonly archived_at?: string;
  readonly managed_by?: ManagedBy;
};

/** What is typed in the form of a record. */
export type DraftViewProps = {
  draft: Draft;
  /** Undefined: it is new. */
  id?: string;
  teamId: string | undefined;
};

export type RecordKind = {
  /** As the API names it in searches and previews: `outbound_webhook`. */
  readonly name: string;
  /** Of its list, as in the API. */
  readonly path: string;
  readonly icon: IconName;
  readonly words: {
    readonly title: string;
    /** Within a sentence. */
    readonly one: string;
    readonly empty: { readonly title: string; readonly text: string };
    /** Above its form: what one does not do by itself. */
    readonly about?: string;
    /** Below a form whose preview says nothing. */
    readonly noEffects?: string;
  };
  /** What an edit means, as sentences, where its fields before and after do not show it. */
  readonly changesOf?: (before: Fields, after: Fields, nameOf: NameOf) => readonly string[];
};

type Fields = Readonly<Record<string, unknown>>;
type NameOf = (to: string, id: string) => string;

/** Without the slash: all questions about records of the kind begin with it. */
export const keyOf = ({ path }: OfPath): string => path.slice(1);

type OfPath = Pick<RecordKind, 'path'>;

export const pathOf = ({ path }: OfPath, id: string): string => `${path}/${id}`;
export const pathOfNew = ({ path }: OfPath): string => `${path}/new`;

/** What the address says besides, on the way to another view of the same. */
export type AnySearch = Readonly<Record<string, unknown>>;

type Nameable = {
  readonly id: string;
  readonly name?: unknown;
  readonly slug?: unknown;
  readonly counter?: unknown;
};

/** Of an integration without a name, as incidents name it. */
export function displayNameOf({ id, name, slug, counter }: Nameable): string {
  if (typeof name === 'string' && name !== '') return name;
  return typeof slug === 'string' ? `${slug} integration ${counter ?? ''}`.trim() : id;
}

/** By name; `text` is a part of it. */
export const recordsOf = (
  records: readonly DashboardRecord[],
  text = '',
): readonly DashboardRecord[] =>
  records
    .filter((one) => displayNameOf(one).toLowerCase().includes(text.trim().toLowerCase()))
    .toSorted((one, other) => displayNameOf(one).localeCompare(displayNameOf(other)));
