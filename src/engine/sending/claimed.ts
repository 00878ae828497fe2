// Notices and webhook calls that this process has claimed from the ledger to deliver.
import type { Occasion } from '../../incidents/incident.ts';
import type { DueNotice } from '../../notices/kind.ts';
import type { DueContent } from '../../notices/queued.ts';
import type { CallContent, WebhookCall } from '../../notices/webhooks/call.ts';
import type { IncidentSnapshot } from '../../notices/webhooks/incident.ts';
import type { ShiftNoticeKind, ShiftStory } from '../../shifts/notice.ts';
import type { HandedOver } from './channel.ts';
import type { TriedContact } from './retry-routes.ts';

/** The address of an outbound webhook is its URL. */
export type ClaimedNotice = DueNotice & {
  readonly recipient_key: string;
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
};
/** A notice to a person or a chat. */
export type ClaimedPersonalNotice = ClaimedNotice & DueContent;
export type ClaimedIncidentNotice = Extract<ClaimedPersonalNotice, { readonly about: 'incident' }>;

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
