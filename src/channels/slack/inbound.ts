// What an app receives, as the engine understands it, and the answers to it.
import { escapeSlack } from '../../notices/slack.ts';
import { type SlackPost, slackChoicesOf, slackTextOf } from '../../notices/slack-post.ts';
import type { ConfirmedEmail, Inbound, Reply } from '../../replies/inbound.ts';
import { answerInChat } from '../chat-answer.ts';
import type { Introduction } from '../socket-way.ts';
import type { SlackClient, SlackResult } from './client.ts';
import { slackFaultOf } from './failure.ts';
import type { SlackInbound, SlackMessage } from './read.ts';
import { editOnSlack } from './send.ts';

/** The name of the workspace, or why the bot token is not good. */
export async function introduce(client: SlackClient): Promise<Introduction> {
  const identity = await client.authTest();
  if (!identity.ok) return { reason: slackFaultOf(identity.failure).reason };
  return { account: identity.result.team, reason: null };
}

type Act = Extract<Inbound, { readonly type: 'press' | 'command' | 'text' }>;

/** Null: nothing is to be done. An envelope may be another when the same is delivered again. */
export function inboundOf(inbound: SlackInbound, envelopeId: string): Act | null {
  if (inbound.type === 'ignored') return null;
  const did = { address: inbound.userId, eventId: inbound.act ?? envelopeId };
  if (inbound.type === 'message') return { ...did, ...writtenOf(inbound) };
  return inbound.type === 'command'
    ? { type: 'command', ...did, text: inbound.text }
    : {
        type: 'press',
        ...did,
        handle: inbound.handle,
        message: { place: inbound.channel, messageId: inbound.ts },
      };
}

function writtenOf({ text, channel, ts, thread, isAddressed }: SlackMessage) {
  const writtenAt = instantOf(ts);
  return {
    type: isAddressed ? ('command' as const) : ('text' as const),
    text,
    ...(thread !== null && { repliedTo: { place: channel, messageId: thread } }),
    ...(writtenAt && { writtenAt }),
  };
}

/** Slack names a message by the second that it was written in. */
function instantOf(ts: string): Temporal.Instant | undefined {
  const [, seconds] = /^(\d{10})\.\d{6}$/.exec(ts) ?? [];
  return seconds === undefined
    ? undefined
    : Temporal.Instant.fromEpochMilliseconds(Number(seconds) * 1_000);
}

/** Why somebody could not be answered; null: they were, or nobody is to be. */
export async function answerOnSlack(
  client: SlackClient,
  inbound: SlackInbound,
  reply: NonNullable<Reply>,
): Promise<string | null> {
  if (inbound.type === 'ignored') return null;
  return answerInChat(reply, {
    edit:
      inbound.type === 'press'
        ? async (notice) => (await editOnSlack(client, inbound, notice))?.reason ?? null
        : null,
    async show({ text, link, choices }) {
      const linked = link ? ` <${escapeSlack(link.href)}|${slackTextOf(link.text)}>` : '';
      const written = `${slackTextOf(text)}${linked}`;
      const post = choices ? slackChoicesOf(written, choices) : { text: written, blocks: [] };
      const shown =
        inbound.type === 'message'
          ? await answerMessage(client, inbound, post)
          : await client.respond(inbound.responseUrl, post);
      return shown.ok ? null : slackFaultOf(shown.failure).reason;
    },
  });
}

type Message = Extract<SlackInbound, { readonly type: 'message' }>;

/** Where others read along, to its author alone. */
function answerMessage(
  client: SlackClient,
  { channel, thread, userId: user, isDirect }: Message,
  post: SlackPost,
): Promise<SlackResult<unknown>> {
  if (!isDirect) return client.postEphemeral({ channel, user, thread }, post);
  const below = thread === null ? undefined : { ts: thread, isShownInChannel: false };
  return client.postMessage(channel, post, below);
}

/**
 * The e-mail of somebody, where Slack has confirmed it and they are a full member of the workspace;
 * null: they are not; `unsaid`: Slack did not say, with why.
 */
export async function confirmedEmail(client: SlackClient, userId: string): Promise<ConfirmedEmail> {
  const [identity, user] = await Promise.all([client.authTest(), client.userInfo(userId)]);
  if (!identity.ok) return { unsaid: slackFaultOf(identity.failure).reason };
  if (!user.ok) {
    const { blame, reason } = slackFaultOf(user.failure);
    return blame === 'contact' ? { email: null } : { unsaid: reason };
  }
  const { teamId, email, isEmailConfirmed, isOutsider } = user.result;
  const isMember = teamId === identity.result.teamId && !isOutsider;
  return { email: isMember && isEmailConfirmed ? email : null };
}
