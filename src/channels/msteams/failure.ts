import { boundedWait } from '../http-answer.ts';
import type { VendorFault } from '../vendor-fault.ts';

export type TeamsFailure =
  /** The connector, or the authority that issues tokens, refused it. */
  | {
      readonly type: 'refused';
      readonly of: 'connector' | 'authority';
      readonly status: number;
      /** Microsoft’s name for the error; empty: it has none. */
      readonly code: string;
      readonly retryAfter: string;
    }
  | { readonly type: 'no_answer'; readonly reason: string; readonly maybeExecuted: boolean };

/** What is `gone` cannot be changed or answered any more; `message`: as it is written. */
export type TeamsFault = VendorFault<'contact' | 'connection' | 'message' | 'gone'>;

type Meaning = { readonly blame: TeamsFault['blame']; readonly text: string };

const notInstalled = 'the app is not installed in the team of the channel: add it there';
const gone = { blame: 'gone', text: 'the message was deleted' } as const;
const secret = 'replace client_secret of the connection';

/** By the code of the error. */
const byCode: Readonly<Record<string, Meaning>> = {
  BotNotInConversationRoster: { blame: 'contact', text: notInstalled },
  BotDisabledByAdmin: {
    blame: 'connection',
    text: 'an admin of the tenant has blocked the app: allow it in the Teams admin center',
  },
  ConversationNotFound: { blame: 'contact', text: 'the channel does not exist, or was deleted' },
  ConversationBlockedByUser: { blame: 'contact', text: 'the person has blocked the app' },
  InvalidBotApiHost: {
    blame: 'connection',
    text: 'the tenant uses another Bot Connector address: check service_url of the connection',
  },
  TenantNotFound: {
    blame: 'connection',
    text: 'the tenant does not exist: check tenant_id of the connection',
  },
  ActivityNotFoundInConversation: gone,
  MessageSizeTooBig: { blame: 'message', text: 'the message is too long' },
  BadSyntax: { blame: 'message', text: 'the message was rejected' },
  // Codes of Microsoft Entra: https://learn.microsoft.com/entra/identity-platform/reference-error-codes
  AADSTS7000215: { blame: 'connection', text: `the client secret is not valid: ${secret}` },
  AADSTS7000222: { blame: 'connection', text: `the client secret has expired: ${secret}` },
  AADSTS700016: {
    blame: 'connection',
    text: 'the tenant does not contain this app: check app_id and tenant_id of the connection',
  },
  AADSTS90002: {
    blame: 'connection',
    text: 'the tenant does not exist: check tenant_id of the connection',
  },
};

/** By the status, where the code says nothing. */
const byStatus: Readonly<Record<number, Meaning>> = {
  401: {
    blame: 'connection',
    text: 'the bot’s token was rejected: check app_id, tenant_id and client_secret of the connection',
  },
  403: { blame: 'contact', text: notInstalled },
  404: { blame: 'contact', text: 'the channel does not exist, or was deleted' },
  413: { blame: 'message', text: 'the message is too long' },
};

const laterStatuses: readonly number[] = [408, 412, 429, 502, 504];

/** What an error of Microsoft’s, or no answer at all, means for what is sent next. */
export function teamsFaultOf(failure: TeamsFailure): TeamsFault {
  if (failure.type === 'no_answer') {
    const { reason, maybeExecuted } = failure;
    return { blame: 'later', reason: `Microsoft Teams: ${reason}`, maybeExecuted, isOutage: true };
  }
  const { status, code, retryAfter, of } = failure;
  const named = code === '' ? `${status}` : `${status} ${code}`;
  if (laterStatuses.includes(status) || status >= 500) {
    const isOutage = status >= 500;
    const text = isOutage ? 'the service failed' : 'too many requests at once';
    return {
      blame: 'later',
      reason: `Microsoft Teams: ${text} (${named})`,
      ...(/^\d{1,9}$/.test(retryAfter) && { retryAfterSeconds: boundedWait(Number(retryAfter)) }),
      ...(isOutage && { isOutage }),
      // Errors of theirs may have come after it was done.
      maybeExecuted: isOutage,
    };
  }
  const known = Object.hasOwn(byCode, code) ? byCode[code] : byStatus[status];
  const { blame, text } =
    known ??
    (of === 'authority'
      ? {
          blame: 'connection' as const,
          text: 'Microsoft issued no token: check client_secret of the connection',
        }
      : { blame: 'unlisted' as const, text: 'the request was rejected' });
  return { blame, reason: `Microsoft Teams: ${text} (${named})`, maybeExecuted: false };
}

/** Of an edit, what is not there was deleted. */
export function teamsEditFaultOf(failure: TeamsFailure): TeamsFault {
  const isGone = failure.type === 'refused' && failure.of === 'connector' && failure.status === 404;
  const fault = teamsFaultOf(failure);
  return isGone
    ? { ...fault, blame: 'gone', reason: `Microsoft Teams: ${gone.text} (404)` }
    : fault;
}
