// What one kind of notice is. Each kind is a file in src/notices/kinds, and a line in its index.ts.
import type { Entry, Incident } from '../incidents/incident.ts';
import type { Parse } from '../resources/declaration/stored-document.ts';
import type { Language } from '../resources/language.ts';
import type { Role } from '../resources/roles.ts';
import type { Words } from './words/wording.ts';

/** What every notice has. */
export type AnyNotice = {
  /** The same for every attempt at this notice. */
  readonly key: string;
  readonly organization: { readonly id: string; readonly name: string };
  /** The name of the person it is for. */
  readonly recipient?: string;
  /** How the recipient was chosen, such as "on call of Payments". Absent: they are named. */
  readonly route?: string;
  /** Whom a chat message should ping, as the chat writes it or as `@channel`, `@here`. */
  readonly mention?: string;
  readonly channel_name?: string;
  /** Of its reader; UTC where it is absent. */
  readonly timezone?: string;
  /** Of its words; English where it is absent. */
  readonly language?: Language;
  /** Why this recipient gets it, to follow "because": "step 1 of policy Payments". */
  readonly why: string;
};

/** What a notice is about, and its kind in the outbox and in metrics. */
type Named = { readonly about: string; readonly kind: string };

/** `Content`: what its notices have besides what every notice has. */
export type NoticeKind<Content extends Named> = {
  readonly about: Content['about'];
  /** The same text for every channel. */
  readonly words: (notice: AnyNotice & Content) => Words;
  /** Its words are there in every language. */
  readonly isTranslated?: true;
  /** What the notices about one subject share. */
  readonly threadOf: (notice: AnyNotice & Content) => string;
  /** A believable notice, for tests and documentation. */
  readonly sample: () => AnyNotice & Content;
};

/**
 * A kind that waits in the outbox. `Stored`: its own fields there, of which `Due` is what a due notice
 * has besides what every due notice has.
 */
export type QueuedKind<
  Content extends Named,
  Stored extends object,
  Due extends Named,
> = NoticeKind<Content> & {
  readonly stored: { readonly [Field in keyof Stored]-?: Parse<Stored[Field]> };
  /** Null: the row is of another kind. */
  readonly read: (row: StoredRow<Stored>) => Due | null;
  /** The content as it is when it is sent. */
  readonly compose: (due: DueNotice & Due, options: ComposeOptions) => Content;
  /** Null, as for a kind without this: it is sent. */
  readonly unwanted?: (due: DueNotice & Due, conditions: SendConditions) => Unwanted | null;
  /** Whether it counts toward the monthly limit. Absent: none does. */
  readonly isLimited?: (due: Pick<DueNotice, 'user_id'>) => boolean;
};

/** A row of the outbox that is not a webhook call. */
export type StoredRow<Stored> = {
  readonly kind: string;
  readonly notice: Partial<Stored>;
  readonly cycle: number;
  readonly step: number;
  /** The role that the recipient has now. Null: it is a chat. */
  readonly role: Role | null;
  /** The incident that it is about, with the name of its service. It throws if that is unreadable. */
  readonly incident: (() => { readonly incident: Incident; readonly serviceName: string }) | null;
  /** Whether the cover request that it is about is open. Absent: it is about none. */
  readonly isCoverOpen?: boolean;
};

/** What every due notice has. */
export type DueNotice = {
  readonly organization_id: string;
  readonly key: string;
  readonly channel: string;
  /** Unsealed if it was sealed. */
  readonly address: string;
  readonly recipient: string | null;
  /** How the recipient was chosen. Absent: they are named. */
  readonly route?: string;
  readonly mention: string | null;
  readonly why: string;
  /** Null unless the recipient is a person. */
  readonly user_id: string | null;
  readonly organizationName: string;
  /** Of the recipient, else of the organization. */
  readonly timezone: string;
  /** The same. It is used where channel and kind have it. */
  readonly language: Language;
};

export type ComposeOptions = {
  readonly publicUrl: string;
  /** The address of a page that asks for confirmation. */
  readonly linkFor: (
    due: DueNotice & { readonly incident: Incident },
    action: 'acknowledge' | 'resolve',
  ) => string;
  /** The page where a person turns off e-mails like this one. */
  readonly unsubscribeFor?: (
    due: Pick<DueNotice, 'organization_id'> & { readonly user_id: string },
  ) => string;
  /** What a button carries that does this. */
  readonly handleFor: (incident: Incident, action: ButtonAction) => string;
};

type ButtonAction =
  | 'acknowledge'
  | 'resolve'
  | 'escalate'
  | 'unacknowledge'
  | 'webhook'
  | 'playbook';

export type SendConditions = {
  readonly now: Temporal.Instant;
  /** The notice would exceed the organization's monthly limit. */
  readonly limitReached: boolean;
  /** Whether the limit applies to pages too. */
  readonly hardAlertLimit: boolean;
  /** It was sent before, to this contact or another. */
  readonly wasTried: boolean;
};

/** A notice that is canceled, with an entry that says why, or held for now. */
export type Unwanted =
  | { readonly reason: string; readonly entry: Entry | null }
  | { readonly holdUntil: Temporal.Instant };

export const limitReason = 'the monthly alert limit is reached';
