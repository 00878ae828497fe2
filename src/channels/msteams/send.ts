import { handlesOf } from '../../notices/answers.ts';
import type { Notice } from '../../notices/notice.ts';
import {
  type TeamsAnswer,
  type TeamsCard,
  teamsCardOf,
  teamsJoinedOf,
  teamsReplyOf,
  teamsSummaryOf,
  teamsTakenOf,
} from '../../notices/teams-card.ts';
import { joinedLine } from '../../notices/words/joined.ts';
import { takenLine } from '../../notices/words/taken.ts';
import type { ChatPost, ChatResult } from '../chat-app.ts';
import type { SentActivity, TeamsClient, TeamsMessage } from './client.ts';
import { type TeamsFault, teamsEditFaultOf, teamsFaultOf } from './failure.ts';

/** A message that stands now, or why it does not. */
type PostResult = ChatResult<TeamsFault>;

/** A notice as a post of its own. Never throws. */
export async function postOnTeams(
  client: TeamsClient,
  channelId: string,
  notice: Notice,
): Promise<PostResult> {
  const posted = await client.post(channelId, messageOf(notice));
  if (!posted.ok) return { fault: teamsFaultOf(posted.failure) };
  return { sent: placeOf(posted.result) };
}

/** A notice below the post about its subject. Never throws. */
export async function replyOnTeams(
  client: TeamsClient,
  post: ChatPost,
  notice: Notice,
): Promise<PostResult> {
  const message = { card: teamsReplyOf(notice), summary: teamsSummaryOf(notice) };
  const reply = await client.reply(post.place, message);
  return reply.ok ? { sent: post } : { fault: teamsEditFaultOf(reply.failure) };
}

/** Says below a post what was done, or which alerts joined. Never throws. */
export async function commentOnTeams(
  client: TeamsClient,
  post: ChatPost,
  notice: Notice,
): Promise<PostResult | null> {
  const message = commentOf(notice);
  if (message === null) return null;
  const line = await client.reply(post.place, message);
  return line.ok ? { sent: post } : { fault: teamsEditFaultOf(line.failure) };
}

function commentOf(notice: Notice): TeamsMessage | null {
  if (notice.about !== 'incident') return null;
  const { taken, joined } = notice;
  if (taken) return { card: teamsTakenOf(notice, taken), summary: takenLine(notice, taken) };
  return joined
    ? { card: teamsJoinedOf(notice, joined), summary: joinedLine(notice, joined) }
    : null;
}

/** Has a post show its subject as it now is. Never throws. */
export async function editOnTeams(
  client: TeamsClient,
  post: ChatPost,
  notice: Notice,
): Promise<PostResult> {
  const sent = { conversation: post.place, activity: post.messageId };
  const edited = await client.update(sent, messageOf(notice));
  return edited.ok ? { sent: post } : { fault: teamsEditFaultOf(edited.failure) };
}

/** As it stands in a channel; with an answer, as one person sees it. */
export const cardOf = (notice: Notice, answer?: TeamsAnswer): TeamsCard =>
  teamsCardOf(notice, handlesOf(notice), answer);

const messageOf = (notice: Notice): TeamsMessage => ({
  card: cardOf(notice),
  summary: teamsSummaryOf(notice),
});

const placeOf = ({ conversation, activity }: SentActivity): ChatPost => ({
  place: conversation,
  messageId: activity,
});
