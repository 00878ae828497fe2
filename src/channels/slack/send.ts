import { handlesOf } from '../../notices/answers.ts';
import type { Notice } from '../../notices/notice.ts';
import {
  plainSlackPostOf,
  type SlackPost,
  slackJoinedOf,
  slackPostOf,
  slackReplyOf,
  slackTakenOf,
} from '../../notices/slack-post.ts';
import type { SentPost, SlackClient, SlackResult } from './client.ts';
import { type SlackFault, slackFaultOf } from './failure.ts';

/** A post that stands now, or why it does not. */
export type PostResult = { readonly sent: SentPost } | { readonly fault: SlackFault };

/** A notice as a post of its own. Never throws. */
export const postOnSlack = (client: SlackClient, channel: string, notice: Notice) =>
  sendReadable(notice, async (post) => resultOf(await client.postMessage(channel, post)));

/** A notice below the post about its subject, and shown in the channel too. Never throws. */
export async function replyOnSlack(
  client: SlackClient,
  { channel, ts }: SentPost,
  notice: Notice,
): Promise<PostResult> {
  const thread = { ts, isShownInChannel: true };
  return resultOf(await client.postMessage(channel, slackReplyOf(notice), thread));
}

/** Says below a post what was done, or which alerts joined. Never throws. */
export async function commentOnSlack(
  client: SlackClient,
  { channel, ts }: SentPost,
  notice: Notice,
): Promise<SlackFault | null> {
  const post = commentOf(notice);
  if (post === null) return null;
  const thread = { ts, isShownInChannel: false };
  const line = await client.postMessage(channel, post, thread);
  return line.ok ? null : slackFaultOf(line.failure);
}

function commentOf(notice: Notice): SlackPost | null {
  if (notice.about !== 'incident') return null;
  const { taken, joined } = notice;
  if (taken) return slackTakenOf(notice, taken);
  return joined ? slackJoinedOf(notice, joined) : null;
}

/** Has a post show its subject as it now is. Never throws. */
export async function editOnSlack(
  client: SlackClient,
  sent: SentPost,
  notice: Notice,
): Promise<SlackFault | null> {
  const result = await sendReadable(notice, async (post) => {
    const edited = await client.update(sent, post);
    return edited.ok ? { sent } : { fault: slackFaultOf(edited.failure) };
  });
  return 'fault' in result ? result.fault : null;
}

/** Without blocks of many kinds where Slack refuses those. */
async function sendReadable(
  notice: Notice,
  send: (post: SlackPost) => Promise<PostResult>,
): Promise<PostResult> {
  const handleFor = handlesOf(notice);
  const first = await send(slackPostOf(notice, handleFor));
  if ('sent' in first || first.fault.blame !== 'message') return first;
  return send(plainSlackPostOf(notice, handleFor));
}

const resultOf = (result: SlackResult<SentPost>): PostResult =>
  result.ok ? { sent: result.result } : { fault: slackFaultOf(result.failure) };
