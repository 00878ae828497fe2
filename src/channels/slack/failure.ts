import { boundedWait } from '../http-answer.ts';
import type { VendorFault } from '../vendor-fault.ts';
import type { SlackFailure } from './client.ts';

/** What is `gone` cannot be changed or answered any more; `message`: as it is written. */
export type SlackFault = VendorFault<'contact' | 'connection' | 'message' | 'gone'>;

type Listed = Exclude<SlackFault['blame'], 'unlisted'>;

const tooManyText = 'too many requests at once';
const failedText = 'the service failed';

/** By the error of the Web API, in words. */
const meanings: Readonly<Record<Listed, Readonly<Record<string, string>>>> = {
  contact: {
    channel_not_found:
      'the channel or person does not exist, or the channel is private and the app is not in it: write /invite @Pager there',
    is_archived: 'the channel is archived',
    not_in_channel: 'the app is not in the channel: write /invite @Pager there',
    user_not_in_channel: 'the person is not in the channel',
    restricted_action: 'a workspace admin restricts who can post in the channel',
    restricted_action_read_only_channel: 'only some people may post in the channel',
    restricted_action_thread_only_channel: 'only threads may be posted in the channel',
    restricted_action_non_threadable_channel: 'the channel does not allow threads',
    user_not_found: 'the person does not exist',
    user_not_visible: 'the person is not visible to the app',
  },
  connection: {
    not_authed: 'the token is missing',
    invalid_auth: 'the token is not valid',
    token_revoked: 'the token was revoked',
    token_expired: 'the token has expired: turn off token rotation in the app’s settings',
    account_inactive: 'the app was removed from the workspace',
    not_allowed_token_type: 'the token is of another kind',
    missing_scope: 'the app lacks a scope',
    no_permission: 'the app is not allowed to do this',
    access_denied: 'the app is not allowed to do this',
    team_access_not_granted: 'the app is not installed in this workspace',
    org_login_required: 'the workspace is being moved to an organization',
    ekm_access_denied: 'a workspace admin has suspended posting',
    invalid_response_url: 'the response address does not belong to Slack',
  },
  message: {
    msg_too_long: 'the message is too long',
    msg_blocks_too_long: 'the message is too long',
    invalid_blocks: 'the blocks of the message were rejected',
    invalid_blocks_format: 'the blocks of the message were rejected',
    no_text: 'the message is empty',
  },
  gone: {
    message_not_found: 'the message was deleted',
    cant_update_message: 'the message can no longer be changed',
    edit_window_closed: 'the message can no longer be changed',
    thread_not_found: 'the message that it answers was deleted',
    invalid_thread_ts: 'the message that it answers was deleted',
  },
  later: {
    ratelimited: tooManyText,
    rate_limited: tooManyText,
    // Slack fails itself.
    fatal_error: failedText,
    internal_error: failedText,
    service_unavailable: failedText,
    request_timeout: failedText,
    team_added_to_org: failedText,
  },
};

const blames = Object.keys(meanings) as readonly Listed[];

/** Which secret of the connection the request was sent with. */
type With = 'bot_token' | 'app_token';

/** What an error of the Web API, or no answer at all, means for what is sent next. */
export function slackFaultOf(failure: SlackFailure, token: With = 'bot_token'): SlackFault {
  if (failure.type === 'no_answer') {
    const { reason, maybeExecuted } = failure;
    return { blame: 'later', reason: `Slack: ${reason}`, maybeExecuted, isOutage: true };
  }
  const { error, needed, retryAfterSeconds } = failure;
  const listed = blames.find((each) => Object.hasOwn(meanings[each], error));
  const text = listed === undefined ? 'the request was rejected' : meanings[listed][error];
  const blame = listed ?? 'unlisted';
  const isOutage = text === failedText;
  const scope = needed === undefined ? '' : ` ${needed}`;
  const mend = blame === 'connection' ? `: see ${token} of the connection` : '';
  return {
    blame,
    reason: `Slack: ${text}${scope} (${error})${mend}`,
    ...(blame === 'later' &&
      retryAfterSeconds !== undefined && { retryAfterSeconds: boundedWait(retryAfterSeconds) }),
    ...(isOutage && { isOutage }),
    // Errors of theirs may have come after it was done.
    maybeExecuted: isOutage,
  };
}
