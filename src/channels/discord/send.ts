import { handlesOf } from '../../notices/answers.ts';
import {
  type DiscordPost,
  discordJoinedOf,
  discordPostOf,
  discordReplyOf,
  discordTakenOf,
  plainDiscordPostOf,
  threadNameOf,
} from '../../notices/discord-post.ts';
import type { Notice } from '../../notices/notice.ts';
import type { DiscordClient, DiscordResult } from './client.ts';
import { codes, type DiscordFault, discordFaultOf } from './failure.ts';
import type { DiscordSent } from './objects.ts';

/** A post that stands now, or why it does not; `fullForSeconds`: the route takes nothing more until then. */
export type PostResult = ({ readonly sent: DiscordSent } | { readonly fault: DiscordFault }) &
  Pick<DiscordResult<unknown>, 'fullForSeconds'>;

type Once = { readonly once?: string | undefined };

/** A notice as a post of its own. Never throws. */
export const postOnDiscord = (
  client: DiscordClient,
  channelId: string,
  notice: Notice,
  { once }: Once = {},
): Promise<PostResult> =>
  sendReadable(notice, async (post) => resultOf(await client.post(channelId, post, { once })));

/** Has a post show its subject as it now is. Never throws. */
export const editOnDiscord = (
  client: DiscordClient,
  sent: DiscordSent,
  notice: Notice,
): Promise<PostResult> =>
  sendReadable(notice, async (post) => resultOf(await client.edit(sent, post)));

/** A notice in the thread of the post about its subject. Never throws. */
export const replyOnDiscord = (
  client: DiscordClient,
  sent: DiscordSent,
  notice: Notice,
  { once }: Once = {},
): Promise<PostResult> => sendBelow(client, sent, { notice, once, post: discordReplyOf(notice) });

/** Says in the thread of a post what was done, or which alerts joined; null: nothing. Never throws. */
export async function commentOnDiscord(
  client: DiscordClient,
  sent: DiscordSent,
  notice: Notice,
): Promise<PostResult | null> {
  const post = commentOf(notice);
  // The channel itself has the post, which shows how many alerts there are.
  const isOnlyInThread = notice.about === 'incident' && notice.taken === undefined;
  return post && sendBelow(client, sent, { notice, post, isOnlyInThread });
}

function commentOf(notice: Notice): DiscordPost | null {
  if (notice.about !== 'incident') return null;
  const { taken, joined } = notice;
  if (taken) return discordTakenOf(taken);
  return joined ? discordJoinedOf(notice, joined) : null;
}

type Below = Once & {
  readonly notice: Notice;
  readonly post: DiscordPost;
  readonly isOnlyInThread?: boolean;
};

/** The thread of a message has its id, and is there once somebody has opened it. */
async function sendBelow(
  client: DiscordClient,
  sent: DiscordSent,
  { notice, post, once, isOnlyInThread = false }: Below,
): Promise<PostResult> {
  const inThread = async () => resultOf(await client.post(sent.id, post, { once }));
  const first = await inThread();
  if (!hasCode(first, codes.unknownChannel)) return orBeside(first);
  const opened = await client.openThread(sent, threadNameOf(notice));
  const fault = opened.ok ? null : discordFaultOf(opened.failure);
  if (fault !== null && fault.code !== codes.threadExists) return orBeside({ fault });
  return orBeside(await inThread());

  /** As a reply in the channel, where the bot may open no thread, or write in none. */
  async function orBeside(result: PostResult): Promise<PostResult> {
    const isRefused =
      'fault' in result && !['later', 'connection', 'gone'].includes(result.fault.blame);
    if (!isRefused || isOnlyInThread) return result;
    const reply = await client.post(sent.channelId, post, { once, repliesTo: sent.id });
    const replied = resultOf(reply);
    if (!hasCode(replied, codes.noHistory)) return replied;
    return resultOf(await client.post(sent.channelId, post, { once }));
  }
}

const hasCode = (result: PostResult, code: number): boolean =>
  'fault' in result && result.fault.code === code;

/** Without the embed where Discord refuses that. */
async function sendReadable(
  notice: Notice,
  send: (post: DiscordPost) => Promise<PostResult>,
): Promise<PostResult> {
  const handleFor = handlesOf(notice);
  const first = await send(discordPostOf(notice, handleFor));
  if ('sent' in first || first.fault.blame !== 'message') return first;
  return send(plainDiscordPostOf(notice, handleFor));
}

const resultOf = (result: DiscordResult<DiscordSent>): PostResult => {
  const { fullForSeconds } = result;
  const full = fullForSeconds === undefined ? {} : { fullForSeconds };
  return result.ok
    ? { sent: result.result, ...full }
    : { fault: discordFaultOf(result.failure), ...full };
};
