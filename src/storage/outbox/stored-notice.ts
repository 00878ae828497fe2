// What a row of the outbox keeps as JSON, as it is read back.
import type { TriedContact } from '../../engine/sending/retry-routes.ts';
import { type Occasion, occasions } from '../../incidents/incident.ts';
import { apart } from '../../incidents/recipient.ts';
import { type StoredContent, storedContent } from '../../notices/queued.ts';
import type { Sealed } from '../../resources/declaration/field.ts';
import {
  choiceOf,
  count,
  documentOf,
  flag,
  listOf,
  nullOr,
  number,
  objectOf,
  optional,
  type Parse,
  text,
  textOrSealed,
} from '../../resources/declaration/stored-document.ts';

/** With the fields of its kind. */
export type StoredNotice = StoredContent & {
  /** Of a call, the webhook's id. */
  readonly address: string | Sealed;
  readonly recipient: string | null;
  /** How the recipient was chosen. */
  readonly route?: string;
  readonly mention: string | null;
  readonly why: string;
  /** How often it was sent to its address without an answer, where a vendor may have taken it. */
  readonly lost_answers?: number;
  /** Of a page that has ended at contacts of its recipient. */
  readonly tried?: readonly TriedContact[];
  /** Of an incident's call. */
  readonly occasion?: Occasion;
  /** Of a call made again, the first of those under one id: its key makes the id. */
  readonly original?: Original;
  readonly test?: boolean;
};

type Original = { readonly key: string; readonly delivery_id: string };

const tried = objectOf<TriedContact>({
  address: text,
  reason: text,
  isUnconfirmed: flag,
  attempts: number,
});

const document: Parse<StoredNotice> = documentOf(
  'notice',
  objectOf<StoredNotice>({
    address: textOrSealed,
    recipient: nullOr(text),
    route: optional(text),
    mention: nullOr(text),
    why: text,
    lost_answers: optional(count),
    tried: optional(listOf(tried)),
    ...storedContent,
    occasion: optional(choiceOf(occasions)),
    original: optional(objectOf<Original>({ key: text, delivery_id: text })),
    test: optional(flag),
  }),
);

export const parseNotice: Parse<StoredNotice> = (value) => apart(document(value));
