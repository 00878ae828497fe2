// What an app receives, as the engine understands it, and the answers to it.
import { escapeSlack } from '../../notices/slack.ts';
import { slackChoicesOf, slackTextOf } from '../../notices/slack-post.ts';
import type { ConfirmedEmail, Inbound, Reply } from '../../replies/inbound.ts';
import { answerInChat } from '../chat-answer.ts';
import type { Introduction } from '../socket-way.ts';
import type { SlackClient } from './client.ts';
import { slackFaultOf } from './failure.ts';
import type { SlackInbound } from './read.ts';
import { editOnSlack } from './send.ts';

/** The name of the workspace, or why the bot token is not good. */
export async function introduce(client: SlackClient): Promise<Introduction> {
  const identity = await client.authTest();
  if (!identity.ok) return { reason: slackFaultOf(identity.failure).reason };
  return { account: identity.result.team, reason: null };
}

type Act = Extract<Inbound, { readonly type: 'press' | 'command' }>;

/** Null: nothing is to be done. An envelope may be another when the same is delivered again. */
export function inboundOf(inbound: SlackInbound, envelopeId: string): Act | null {
  if (inbound.type === 'ignored') return null;
  const did = { address: inbound.userId, eventId: inbound.act ?? envelopeId };
  return inbound.type === 'command'
    ? { type: 'command', ...did, text: inbound.text }
    : {
        type: 'press',
        ...did,
        handle: inbound.handle,
        message: { place: inbound.channel, messageId: inbound.ts },
      };
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
      const shown = await client.respond(inbound.responseUrl, post);
      return shown.ok ? null : slackFaultOf(shown.failure).reason;
    },
  });
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
