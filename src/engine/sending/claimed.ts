// Notices and webhook calls that this process has claimed from the ledger to deliver.
import type { Incident, NoticeKind, Occasion, OtherStorms } from '../../incidents/incident.ts';
import type {
  AlertUsage,
  FailingChannel,
  FailingConnection,
  FailingWebhook,
  LostContact,
  UndecidedThing,
} from '../../notices/notice.ts';
import type { CallContent, WebhookCall } from '../../notices/webhooks/call.ts';
import type { IncidentSnapshot } from '../../notices/webhooks/incident.ts';
import type { Role } from '../../resources/roles.ts';
import type { ShiftNoticeKind, ShiftStory } from '../../shifts/notice.ts';
import type { HandedOver } from './channel.ts';
import type { TriedContact } from './routes.ts';

type ClaimedNotice = {
  readonly organization_id: string;
  readonly key: string;
  readonly channel: string;
  readonly recipient_key: string;
  /** Unsealed if it was sealed; of an outbound webhook, its URL. */
  readonly address: string;
  readonly recipient: string | null;
  /** How the recipient came to be meant; absent: they are named. */
  readonly route?: string;
  readonly mention: string | null;
  readonly why: string;
  /** Null unless the recipient is a person. */
  readonly user_id: string | null;
  readonly attempt: number;
  /** Toward the monthly limit, by a claim under which nothing was requested. */
  readonly isCounted?: true;
  /** Attempts of it to this address that a vendor took, oldest first. */
  readonly earlier: readonly HandedOver[];
  /** When the first attempt since was begun of which no server recorded the end. */
  readonly unknownSince?: Temporal.Instant;
  /** How often it was sent to this address without an answer, where a vendor may have taken it. */
  readonly lostAnswers?: number;
  /** Of a page, the contacts at which it has ended, oldest first. */
  readonly tried: readonly TriedContact[];
  readonly created_at: Temporal.Instant;
  readonly organizationName: string;
  /** Of the recipient, else of the organization. */
  readonly timezone: string;
};
export type ClaimedIncidentNotice = ClaimedNotice & {
  readonly about: 'incident';
  readonly kind: NoticeKind;
  readonly cycle: number;
  readonly step: number;
  /** Of a page, how often its cycle had gone back before; 0 if absent. */
  readonly wave?: number;
  /** Of a storm: what else the notice is about. */
  readonly otherStorms?: OtherStorms;
  readonly incident: Incident;
  readonly serviceName: string;
  /** The role that the recipient has now; null: it is a chat. */
  readonly role: Role | null;
};
export type ClaimedShiftNotice = ClaimedNotice & {
  readonly about: 'shift';
  readonly kind: ShiftNoticeKind;
  readonly story: ShiftStory;
};
export type ClaimedUsageNotice = ClaimedNotice & {
  readonly about: 'usage';
  readonly kind: 'alert_usage';
  readonly usage: AlertUsage;
};
export type ClaimedFailingWebhookNotice = ClaimedNotice & {
  readonly about: 'webhook';
  readonly kind: 'webhook_failing';
  readonly failing: FailingWebhook;
};
export type ClaimedFailingConnectionNotice = ClaimedNotice & {
  readonly about: 'connection';
  readonly kind: 'connection_failing';
  readonly connection: FailingConnection;
};
export type ClaimedFailingChannelNotice = ClaimedNotice & {
  readonly about: 'channel';
  readonly kind: 'channel_failing';
  readonly failing: FailingChannel;
};
export type ClaimedUndecidedNotice = ClaimedNotice & {
  readonly about: 'undecided';
  readonly kind: 'undecided';
  readonly undecided: UndecidedThing;
};
export type ClaimedLostContactNotice = ClaimedNotice & {
  readonly about: 'lost_contact';
  readonly kind: 'contact_lost';
  readonly lost: LostContact;
};
/** A notice to a person or a chat. */
export type ClaimedPersonalNotice =
  | ClaimedIncidentNotice
  | ClaimedShiftNotice
  | ClaimedUsageNotice
  | ClaimedFailingWebhookNotice
  | ClaimedFailingConnectionNotice
  | ClaimedFailingChannelNotice
  | ClaimedUndecidedNotice
  | ClaimedLostContactNotice;

/** The event that a call is about; a test call has only its content. */
export type CallEvent =
  | { readonly type: 'incident'; readonly occasion: Occasion; readonly subject: IncidentSnapshot }
  | { readonly type: 'shift'; readonly kind: ShiftNoticeKind; readonly story: ShiftStory }
  | { readonly type: 'test' };

/** A call of an outbound webhook, with the webhook as it is now. */
export type ClaimedCall = ClaimedNotice & {
  readonly about: 'call';
  readonly kind: 'webhook' | ShiftNoticeKind;
  readonly delivery_id: string;
  readonly event: CallEvent;
  readonly webhook: WebhookCall & {
    readonly archived: boolean;
    readonly contentType: 'json' | 'url-encoded';
  };
  /** Null until it is rendered for the first attempt. */
  readonly content: CallContent | null;
  /** The key of the call that somebody asked to be sent again. */
  readonly original: string | null;
};
/** A notice or call that this process may now deliver. */
export type Claimed = ClaimedPersonalNotice | ClaimedCall;
