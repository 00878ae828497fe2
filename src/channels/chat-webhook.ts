import type { Channel, Delivery } from '../engine/sending/channel.ts';
import type { NoteAnswer, VendorAnswer } from '../engine/sending/connection-health.ts';
import { discordMessageOf } from '../notices/discord.ts';
import type { Notice } from '../notices/notice.ts';
import { slackMessageOf } from '../notices/slack.ts';
import { teamsMessageOf } from '../notices/teams.ts';
import { lineOf } from '../notices/words/wording.ts';
import type { ChatChannel } from '../resources/channels.ts';
import { webhookAnswerOf } from './host-answer.ts';
import { boundedWait } from './http-answer.ts';
import { membersOf, parsedJson } from './json.ts';
import type { Outbound } from './outbound.ts';

type Vendor = {
  readonly name: string;
  readonly messageOf: (notice: Notice) => object;
  /** The URL to call, or why the given one cannot work. */
  readonly urlOf: (webhook: URL) => { readonly url: string } | { readonly refusal: string };
  /** Reads what the vendor's answer says beyond its status. */
  readonly read: (answer: Delivery) => Delivery;
};

const VENDORS: Readonly<Record<ChatChannel, Vendor>> = {
  slack: {
    name: 'Slack',
    messageOf: slackMessageOf,
    urlOf: ({ href }) => ({ url: href }),
    read: readSlack,
  },
  msteams: {
    name: 'Microsoft Teams',
    messageOf: teamsMessageOf,
    urlOf: workflowUrl,
    read: readTeams,
  },
  discord: {
    name: 'Discord',
    messageOf: discordMessageOf,
    urlOf: waitingUrl,
    read: readDiscord,
  },
};

/** A chat channel reached by its incoming webhook, whose URL is the address. */
export function createChatWebhook(
  kind: ChatChannel,
  outbound: Outbound,
  answered?: NoteAnswer,
): Channel {
  const { name, messageOf, urlOf, read } = VENDORS[kind];
  return {
    async send(notice, address) {
      const webhook = URL.parse(address);
      if (!webhook) return { outcome: 'failed', reason: `the ${name} webhook is not a valid URL` };
      const target = urlOf(webhook);
      if ('refusal' in target) return { outcome: 'failed', reason: target.refusal };
      const { id: organizationId } = notice.organization;
      const answer = await outbound.request({
        requester: { organizationId, kind: 'page' },
        url: target.url,
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(messageOf(notice)),
      });
      const { host } = webhook;
      const delivery = read(answer);
      const ofHost = hostAnswerOf(host, { answer, delivery });
      if (ofHost !== null)
        await answered?.({ organizationId, channel: kind, service: host }, ofHost);
      if (delivery.outcome === 'delivered') return delivery;
      return { ...delivery, reason: `${name}: ${delivery.reason}` };
    },
  };
}

type Answered = { readonly answer: Delivery; readonly delivery: Delivery };

/** Whatever answers 200 without taking the message is not known to be the chat. */
function hostAnswerOf(host: string, { answer, delivery }: Answered): VendorAnswer | null {
  if (answer.outcome === 'delivered' && delivery.outcome !== 'delivered')
    return { kind: 'unexplained', reason: `${host}: ${delivery.reason}` };
  return webhookAnswerOf(host, answer);
}

const SLACK_ERRORS: Readonly<Record<string, string>> = {
  no_service: 'the webhook was removed or disabled',
  no_service_id: 'the webhook URL is incomplete',
  no_team: 'the workspace no longer exists',
  team_disabled: 'the workspace is disabled',
  invalid_token: 'the webhook URL is not valid',
  channel_not_found: 'the channel no longer exists',
  channel_is_archived: 'the channel is archived',
  action_prohibited: 'an administrator restricted posting',
  posting_to_general_channel_denied: 'posting to #general is restricted',
};

/**
 * Slack answers in plain words: `ok`, or the name of an error. Its webhooks for workflows answer the same in
 * JSON. A proxy in between may answer 200 with a page of its own.
 */
function readSlack({ status, ...delivery }: Delivery): Delivery {
  const { answer = '' } = delivery;
  if (delivery.outcome === 'delivered') {
    if (answer.trim() === 'ok' || membersOf(parsedJson(answer))['ok'] === true) return delivery;
    return notTaken(delivery, `answered ${status}, but not "ok"`);
  }
  const meaning = SLACK_ERRORS[answer];
  if (meaning) return { ...delivery, reason: `${meaning} (${answer})` };
  return delivery.outcome === 'failed' && answer ? withWords(delivery, answer) : delivery;
}

function workflowUrl({ href, hostname, pathname }: URL): { url: string } | { refusal: string } {
  const isConnector =
    hostname.endsWith('webhook.office.com') ||
    (hostname.endsWith('outlook.office.com') && pathname.startsWith('/webhook'));
  if (!isConnector) return { url: href };
  return {
    refusal:
      'Microsoft has retired Office 365 connectors, which this webhook belongs to: ' +
      'create a webhook with the Workflows app in Teams and use its URL',
  };
}

/** Asked to wait, Discord answers after the message is posted and with its id. */
function waitingUrl(webhook: URL): { url: string } {
  const url = new URL(webhook);
  url.searchParams.set('wait', 'true');
  return { url: url.href };
}

/** Workflows answer 202 and nothing, or what one of their steps answers. */
function readTeams({ status, ...delivery }: Delivery): Delivery {
  const isPage = /^\s*<(?:!doctype|html)\b/i.test(delivery.answer ?? '');
  return delivery.outcome === 'delivered' && isPage
    ? notTaken(delivery, `answered ${status} with a web page`)
    : delivery;
}

/** Discord answers with the message, or 204 and nothing where it does not wait. */
function readDiscord({ status, ...delivery }: Delivery): Delivery {
  const { answer = '' } = delivery;
  const reply = membersOf(parsedJson(answer));
  if (delivery.outcome === 'delivered' && status !== 204 && !isMessage(answer))
    return notTaken(delivery, `answered ${status}, but with no message`);
  if (delivery.outcome === 'no_answer') {
    const { retry_after: seconds } = reply;
    // More exact than the header, which is missing when a shared limit is hit.
    if (status !== 429 || typeof seconds !== 'number') return delivery;
    return { ...delivery, retryAfterSeconds: boundedWait(seconds) };
  }
  const { message } = reply;
  if (delivery.outcome !== 'failed' || typeof message !== 'string') return delivery;
  return withWords(delivery, message);
}

/** Of a long one only the beginning is known, and its id comes after its embeds. */
function isMessage(answer: string): boolean {
  const message = parsedJson(answer);
  return message === undefined
    ? answer.startsWith('{"')
    : typeof membersOf(message)['id'] === 'string';
}

const notTaken = ({ answer }: Delivery, reason: string): Delivery => ({
  outcome: 'failed',
  reason,
  ...(answer !== undefined && { answer }),
});

function withWords(delivery: Delivery & { outcome: 'failed' }, words: string): Delivery {
  return { ...delivery, reason: `${delivery.reason}: ${lineOf(words).slice(0, 200)}` };
}
