import type { NoticeKind, OtherStorms } from '../incidents/incident.ts';
import type { contactStates } from '../resources/contact-states.ts';
import type { Role } from '../resources/roles.ts';
import type { ShiftNoticeKind, ShiftStory } from '../shifts/notice.ts';

type AnyNotice = {
  /** The same for every attempt at this notice. */
  readonly key: string;
  readonly organization: { readonly id: string; readonly name: string };
  /** The name of the person it is for. */
  readonly recipient?: string;
  /** How they came to be meant, such as "on call of Payments"; absent: they are named. */
  readonly route?: string;
  /** Whom a chat message should ping, as the chat writes it or as `@channel`, `@here`. */
  readonly mention?: string;
  readonly channel_name?: string;
  /** Of its reader; UTC where it is absent. */
  readonly timezone?: string;
  /** Why this recipient gets it, to stand after "because": "step 1 of policy Payments". */
  readonly why: string;
};

/** What somebody did to an incident. */
export type ActionTaken = {
  /** As `Acknowledged`. */
  readonly action: string;
  readonly by: string;
  /** From where, as people call it, such as `phone`. */
  readonly via?: string;
  readonly at: Temporal.Instant;
};

export type IncidentNotice = AnyNotice & {
  readonly about: 'incident';
  readonly kind: NoticeKind;
  readonly incident: {
    readonly id: string;
    readonly number: number;
    readonly title: string;
    readonly status: 'triggered' | 'acknowledged' | 'resolved';
    readonly priority?: string;
    readonly severity?: string;
    readonly service: string;
    readonly details: string;
    /** The same as names and values; absent where it has none, or too many. */
    readonly rows?: readonly { readonly name: string; readonly value: string }[];
    readonly links: readonly { readonly href: string; readonly text?: string }[];
    readonly url: string;
    readonly created_at: Temporal.Instant;
    readonly resolved_by?: string;
    /** What happens if nobody acts. */
    readonly next?: string;
  };
  /** How many steps of the policy came before the one that pages, and nobody has acknowledged. */
  readonly unansweredSteps?: number;
  /** Of a page: after how many minutes the next step is paged, if there is one. */
  readonly stepMinutes?: number;
  /** Pages that ask for confirmation: opening one changes nothing. */
  readonly links?: { readonly acknowledge: string; readonly resolve: string };
  /** What the buttons of a message carry, where it can have buttons. */
  readonly handles?: {
    readonly acknowledge: string;
    readonly resolve: string;
    readonly escalate: string;
    readonly unacknowledge?: string;
    /** What lists the webhooks and the playbooks that can be run. */
    readonly webhook?: string;
    readonly playbook?: string;
  };
  /** Of a test page, what answers that it has arrived. */
  readonly gotIt?: { readonly link: string; readonly handle: string };
  /** What was done since the message that shows it was last brought up to date. */
  readonly taken?: ActionTaken;
  /** Of a storm: what else it is about. */
  readonly otherStorms?: OtherStorms;
  /** Of a recipient who may not act on incidents, and so gets no such links. */
  readonly readOnlyRole?: Role;
};

export type ShiftNotice = AnyNotice & {
  readonly about: 'shift';
  readonly kind: ShiftNoticeKind;
  readonly story: ShiftStory;
  /** To the member whose shift it is; else to a team or a machine. */
  readonly isPersonal: boolean;
  /** The schedule's page. */
  readonly url: string;
};

/** How much of its monthly limit an organisation has used. */
export type AlertUsage = {
  readonly month: string;
  readonly limit: number;
  readonly percent: number;
};

export type UsageNotice = AnyNotice & {
  readonly about: 'usage';
  readonly kind: 'alert_usage';
  readonly usage: AlertUsage;
};

/** An outbound webhook of which no call has succeeded for days. */
export type FailingWebhook = {
  readonly id: string;
  readonly name: string;
  readonly since: Temporal.Instant;
};

export type FailingWebhookNotice = AnyNotice & {
  readonly about: 'webhook';
  readonly kind: 'webhook_failing';
  readonly webhook: FailingWebhook;
};

/** A channel connection by which nothing could be sent for a while. */
export type FailingConnection = {
  readonly id: string;
  readonly name: string;
  readonly since: Temporal.Instant;
  /** With the setting to change. */
  readonly reason: string;
};

export type FailingConnectionNotice = AnyNotice & {
  readonly about: 'connection';
  readonly kind: 'connection_failing';
  readonly connection: FailingConnection;
  /** The connection's page. */
  readonly url: string;
};

/** A channel that needs no connection, and by which nothing could be sent for a while. */
export type FailingChannel = {
  readonly channel: string;
  /** The host, where it leads to several; else empty. */
  readonly service: string;
  readonly since: Temporal.Instant;
  /** With what to do about it. */
  readonly reason: string;
};

export type FailingChannelNotice = AnyNotice & {
  readonly about: 'channel';
  readonly kind: 'channel_failing';
  readonly failing: FailingChannel;
  /** The page with all channels. */
  readonly url: string;
};

/** What was due and could not be decided: it fails alone, and its team's admins are notified. */
export type UndecidedThing = {
  /** `storage`: of an integration whose events are stored only in part. */
  readonly of: 'event' | 'incident' | 'schedule' | 'storage';
  readonly id: string;
  readonly name: string;
  readonly reason: string;
};

export type UndecidedNotice = AnyNotice & {
  readonly about: 'undecided';
  readonly kind: 'undecided';
  readonly undecided: UndecidedThing;
};

/** A contact at which nothing arrives any more, by its vendor's word. */
export type LostContact = {
  readonly id: string;
  readonly channel: string;
  /** As its owner recognises it; not the whole address. */
  readonly name: string;
  readonly state: (typeof contactStates)[number];
  readonly since: Temporal.Instant;
  /** Whose it is; null: the recipient's own. */
  readonly person: { readonly id: string; readonly name: string } | null;
};

export type LostContactNotice = AnyNotice & {
  readonly about: 'lost_contact';
  readonly kind: 'contact_lost';
  readonly lost: LostContact;
  /** Where it is mended, or the page of its person. */
  readonly url: string;
};

/** What its owner sends back to prove that a contact is theirs. */
export type CodeNotice = AnyNotice & {
  readonly about: 'contact';
  readonly kind: 'contact_code';
  readonly proof: {
    readonly contact_id: string;
    readonly code: string;
    readonly expires_at: Temporal.Instant;
  };
};

/** Of the ways in which a person, or a key of theirs, gets in, and of their contacts. */
export type FactorChange =
  | 'passkey_added'
  | 'passkey_removed'
  | 'second_factor_added'
  | 'second_factor_removed'
  | 'recovery_codes_renewed'
  | 'factors_removed'
  | 'api_key_created'
  | 'contact_removed';

/** What somebody needs to sign in, or should know of it. */
export type AccountNotice = AnyNotice & {
  readonly about: 'account';
  readonly kind:
    | 'invitation'
    | 'password_reset'
    | 'password_changed'
    | 'password_set'
    | 'email_changed'
    | 'let_in_by_operator'
    | FactorChange;
  readonly account: {
    readonly user_id: string;
    /** The page where they go on. */
    readonly href: string;
    readonly invited_by?: string;
    readonly expires_at?: Temporal.Instant;
    /** Its name. */
    readonly passkey?: string;
    /** Its name and how it begins. */
    readonly api_key?: string;
    /** What was removed, and the name of whoever removed it. */
    readonly removed?: readonly string[];
    readonly removed_by?: string;
    /** The address that replaces the recipient's. */
    readonly new_email?: string;
    /** Who set a password or changed an address. */
    readonly changed_by?: string;
    /** What was done on the server's own machine, by which command, and for whom. */
    readonly done?: string;
    readonly command?: string;
    readonly concerns?: string;
    readonly changed_at?: Temporal.Instant;
  };
};

/** Any message to one person or one chat channel, before a channel formats it. */
export type Notice =
  | IncidentNotice
  | ShiftNotice
  | UsageNotice
  | FailingWebhookNotice
  | FailingConnectionNotice
  | FailingChannelNotice
  | UndecidedNotice
  | LostContactNotice
  | CodeNotice
  | AccountNotice;
