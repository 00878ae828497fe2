// Notices that wait in the outbox: read, composed and canceled as their kind declares.

import { languageOn } from '../resources/channels.ts';
import { type FieldsOf, optional, type Parse } from '../resources/declaration/stored-document.ts';
import { defaultLanguage } from '../resources/language.ts';
import type { ComposeOptions, DueNotice, SendConditions, StoredRow, Unwanted } from './kind.ts';
import { kinds } from './kinds/index.ts';
import type { Notice } from './notice.ts';

type Kind = Extract<(typeof kinds)[number], { readonly read: unknown }>;
type StoredBy<Each> = Each extends { readonly stored: infer Fields }
  ? { readonly [Field in keyof Fields]?: Fields[Field] extends Parse<infer T> ? T : never }
  : never;
/** All of a union at once. */
type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** The fields of a stored notice that one kind has, of all kinds. */
export type StoredContent = Together<StoredBy<Kind>>;
/** What a due notice has of its kind. */
export type DueContent = NonNullable<ReturnType<Kind['read']>>;

type AnyKind = {
  readonly isTranslated?: true;
  readonly stored: Readonly<Record<string, Parse<unknown>>>;
  readonly read: (row: StoredRow<never>) => DueContent | null;
  readonly compose: (due: never, options: ComposeOptions) => object;
  readonly unwanted?: (due: never, conditions: SendConditions) => Unwanted | null;
  readonly isLimited?: (due: Pick<DueNotice, 'user_id'>) => boolean;
};

const queued: readonly (AnyKind & { readonly about: string })[] = kinds.filter(
  (kind) => 'read' in kind,
);
const byAbout = new Map<string, AnyKind>(queued.map((kind) => [kind.about, kind]));

function kindOf({ about }: DueContent): AnyKind {
  const kind = byAbout.get(about);
  if (kind === undefined) throw new Error(`no kind of notice in the outbox is about ${about}`);
  return kind;
}

/** They are all optional: a stored notice has those of its own kind. */
export const storedContent = fieldsOf(queued) as unknown as FieldsOf<StoredContent>;

/** Throws when two kinds store a field of one name: each would read that of the other. */
export function fieldsOf(
  all: readonly Pick<AnyKind, 'stored'>[],
): Readonly<Record<string, Parse<unknown>>> {
  const fields = all.flatMap(({ stored }) => Object.entries(stored));
  const names = fields.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two kinds of notices store the field ${twice}`);
  return Object.fromEntries(fields.map(([name, parse]) => [name, optional(parse)]));
}

/** Null: no kind knows it. */
export function readContent(row: StoredRow<StoredContent>): DueContent | null {
  for (const kind of queued) {
    const content = kind.read(row as never);
    if (content !== null) return content;
  }
  return null;
}

/** The notice that the channels render, with its subject as it is now. */
export function compose(due: DueNotice & DueContent, options: ComposeOptions): Notice {
  const kind = kindOf(due);
  const language = kind.isTranslated ? languageOn(due.channel, due.language) : defaultLanguage;
  const content = kind.compose({ ...due, language } as never, options);
  return { ...envelopeOf({ ...due, language }), ...content } as Notice;
}

/** The recipient of a notice, and why they get it. */
const envelopeOf = (due: DueNotice) => ({
  key: due.key,
  organization: { id: due.organization_id, name: due.organizationName },
  ...(due.recipient !== null && { recipient: due.recipient }),
  ...(due.route !== undefined && { route: due.route }),
  ...(due.mention !== null && { mention: due.mention }),
  why: due.why,
  timezone: due.timezone,
  ...(due.language !== defaultLanguage && { language: due.language }),
});

/** Why it is not sent, or not yet. Null: it is sent. */
export const unwanted = (
  due: DueNotice & DueContent,
  conditions: SendConditions,
): Unwanted | null => kindOf(due).unwanted?.(due as never, conditions) ?? null;

/** Whether it counts toward the monthly limit. */
export const isLimited = (due: Pick<DueNotice, 'user_id'> & { readonly about: string }): boolean =>
  byAbout.get(due.about)?.isLimited?.(due) ?? false;
