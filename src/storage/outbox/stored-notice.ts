// What a row of the outbox keeps as JSON, as it is read back.
import type { TriedContact } from '../../engine/sending/routes.ts';
import { type Occasion, type OtherStorms, occasions } from '../../incidents/incident.ts';
import { apart } from '../../incidents/recipient.ts';
import type {
  AlertUsage,
  FailingChannel,
  FailingConnection,
  FailingWebhook,
  LostContact,
  UndecidedThing,
} from '../../notices/notice.ts';
import type { Move } from '../../oncall/schedule.ts';
import { contactStates } from '../../resources/contact-states.ts';
import type { Sealed } from '../../resources/declaration/field.ts';
import {
  choiceOf,
  count,
  documentOf,
  flag,
  instant,
  listOf,
  nullOr,
  number,
  objectOf,
  optional,
  type Parse,
  text,
  textOrSealed,
} from '../../resources/declaration/stored-document.ts';
import type { Member, ShiftStory } from '../../shifts/notice.ts';

export type StoredNotice = {
  /** Of a call, the webhook's id. */
  readonly address: string | Sealed;
  readonly recipient: string | null;
  /** How the recipient came to be meant. */
  readonly route?: string;
  readonly mention: string | null;
  readonly why: string;
  /** Of a page, how often its cycle had gone back before. */
  readonly wave?: number;
  /** How often it was sent to its address without an answer, where a vendor may have taken it. */
  readonly lost_answers?: number;
  /** Of a page that has ended at contacts of its recipient. */
  readonly tried?: readonly TriedContact[];
  /** Of a shift. */
  readonly story?: ShiftStory;
  /** Of a share of the monthly limit. */
  readonly usage?: AlertUsage;
  /** Of a webhook of which no call succeeds. */
  readonly failing?: FailingWebhook;
  /** Of a channel connection by which nothing can be sent. */
  readonly connection?: FailingConnection;
  /** Of a channel without a connection by which nothing can be sent. */
  readonly failing_channel?: FailingChannel;
  /** Of what was due and could not be decided. */
  readonly undecided?: UndecidedThing;
  /** Of a contact at which nothing arrives any more. */
  readonly lost_contact?: LostContact;
  /** Of a storm. */
  readonly other_storms?: OtherStorms;
  /** Of an incident's call. */
  readonly occasion?: Occasion;
  /** Of a call made again, the first of those under one id: its key makes the id. */
  readonly original?: Original;
  readonly test?: boolean;
};

type Original = { readonly key: string; readonly delivery_id: string };
type Shift = NonNullable<ShiftStory['shift']>;

const story = objectOf<ShiftStory>({
  schedule: objectOf<ShiftStory['schedule']>({ id: text, name: text, timezone: text }),
  user: objectOf<Member>({ id: text, first_name: text, last_name: text, email: text }),
  shift: nullOr(objectOf<Shift>({ id: text, start: instant, end: instant })),
  taken_off: flag,
  other: nullOr(text),
  changes: listOf(
    objectOf<Move>({ type: choiceOf(['gained', 'lost']), start: instant, end: nullOr(instant) }),
  ),
});

const tried = objectOf<TriedContact>({
  address: text,
  reason: text,
  isUnconfirmed: flag,
  attempts: number,
});

const undecided = objectOf<UndecidedThing>({
  of: choiceOf(['event', 'incident', 'schedule', 'storage']),
  id: text,
  name: text,
  reason: text,
});

const lostContact = objectOf<LostContact>({
  id: text,
  channel: text,
  name: text,
  state: choiceOf(contactStates),
  since: instant,
  person: nullOr(
    objectOf<{ readonly id: string; readonly name: string }>({ id: text, name: text }),
  ),
});

const document: Parse<StoredNotice> = documentOf(
  'notice',
  objectOf<StoredNotice>({
    address: textOrSealed,
    recipient: nullOr(text),
    route: optional(text),
    mention: nullOr(text),
    why: text,
    wave: optional(count),
    lost_answers: optional(count),
    tried: optional(listOf(tried)),
    story: optional(story),
    usage: optional(objectOf<AlertUsage>({ month: text, limit: number, percent: number })),
    failing: optional(objectOf<FailingWebhook>({ id: text, name: text, since: instant })),
    connection: optional(
      objectOf<FailingConnection>({ id: text, name: text, since: instant, reason: text }),
    ),
    failing_channel: optional(
      objectOf<FailingChannel>({ channel: text, service: text, since: instant, reason: text }),
    ),
    undecided: optional(undecided),
    lost_contact: optional(lostContact),
    other_storms: optional(objectOf<OtherStorms>({ numbers: listOf(count), more: count })),
    occasion: optional(choiceOf(occasions)),
    original: optional(objectOf<Original>({ key: text, delivery_id: text })),
    test: optional(flag),
  }),
);

export const parseNotice: Parse<StoredNotice> = (value) => apart(document(value));
