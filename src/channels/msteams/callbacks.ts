// What Teams calls Pager with, and how it is answered.

import { teamsCardType } from '../../notices/teams.ts';
import { teamsAnswerOf, teamsChoicesOf } from '../../notices/teams-card.ts';
import { fit, lineOf } from '../../notices/words/wording.ts';
import type {
  CallbackAnswer,
  CallbackRead,
  CallbackReader,
  CallbackRequest,
  Replied,
} from '../../replies/callback.ts';
import type { Inbound, Reply, VendorAccount } from '../../replies/inbound.ts';
import { parsedJson } from '../json.ts';
import type { CalledConnection } from '../vendor.ts';
import { isServiceUrl, withoutSlash } from './addresses.ts';
import { channelOfConversation, clientOf, type TeamsWay } from './channel.ts';
import { confirmedEmail } from './confirmed-email.ts';
import { teamsFaultOf } from './failure.ts';
import { createKeys, type Keys } from './keys.ts';
import { claimedBy, readActivity, type TeamsActivity } from './read.ts';
import { cardOf, editOnTeams } from './send.ts';
import { proofOf } from './token-proof.ts';

/** On lock screens. */
const SUMMARY_LENGTH = 200;

type Connection = CalledConnection;

export function teamsCallbacks(way: TeamsWay): CallbackReader<Connection> {
  const keys = createKeys(way);
  return {
    read: (request, connection) => readRequest(way, keys, { request, connection }),
    answer: (replied, request, connection) => answer(way, connection, { replied, request }),
    respond: (replied, connection, request) => respond(way, connection, { replied, request }),
  };
}

/** From the body that was proved when it was read. */
const activityIn = (request: CallbackRequest, { settings }: Connection): TeamsActivity | null =>
  readActivity(parsedJson(request.body.toString('utf8')), String(settings['app_id']));

const noActivity = 'it is not an activity for a Teams bot';

type Called = { readonly request: CallbackRequest; readonly connection: Connection };

async function readRequest(way: TeamsWay, keys: Keys, called: Called): Promise<CallbackRead> {
  const { request, connection } = called;
  const { app_id: appId, tenant_id: tenantId } = connection.settings;
  const sent = parsedJson(request.body.toString('utf8'));
  const claimed = claimedBy(sent);
  if (claimed === null) return { refused: noActivity };
  const { authorization } = request.headers;
  const proof = await proofOf(
    { ...claimed, authorization: typeof authorization === 'string' ? authorization : undefined },
    { keys, appId: String(appId), now: way.clock.now() },
  );
  if ('refused' in proof) return { refused: proof.refused };
  // Teams sends it again.
  if ('unavailable' in proof) return { answer: { ...empty, status: 503 } };
  const activity = readActivity(sent, String(appId));
  if (activity === null) return { refused: noActivity };
  if (!isServiceUrl(way.baseUrl, activity.serviceUrl))
    return { refused: 'its service URL does not belong to Microsoft' };
  if (activity.tenantId !== tenantId)
    return { refused: 'it is from another tenant: check tenant_id' };
  return readOf(way, connection, activity);
}

const empty: CallbackAnswer = { status: 200, contentType: 'text/plain', body: '' };

function readOf(way: TeamsWay, connection: Connection, activity: TeamsActivity): CallbackRead {
  const { type } = activity;
  switch (type) {
    case 'ignored':
      // What the framework answers to what a bot does not handle.
      return { answer: activity.isInvoke ? { ...empty, status: 501 } : empty };
    case 'refresh':
      return { inbounds: [{ type, handle: activity.handle }] };
    case 'press': {
      const { handle, messageId, conversation: place, eventId, person } = activity;
      const account = accountOf(way, connection, activity);
      const message = { place, messageId, room: channelOfConversation(place) };
      const address = person.objectId;
      return { inbounds: [{ type, address, handle, message, eventId, account, isShown: true }] };
    }
    case 'command': {
      const { text, eventId, person, team, thread, conversation: place } = activity;
      const account = accountOf(way, connection, activity);
      const repliedTo = thread === null ? {} : { repliedTo: { place, messageId: thread } };
      const written = { address: person.objectId, text, eventId, account };
      const command: Inbound = { type, ...written, ...repliedTo };
      const joined =
        team === null ? [] : [joinedOf(activity, team, { isGreeted: false, isChanged: false })];
      return { inbounds: [...joined, command], isDeferred: true };
    }
    // Teams sends these again until they are stored.
    case 'joined': {
      const { team, isGreeted } = activity;
      return { inbounds: [joinedOf(activity, team, { isGreeted, isChanged: true })] };
    }
    case 'left':
      return { inbounds: [{ type, teamId: activity.teamId }] };
  }
}

const joinedOf = (
  { serviceUrl }: TeamsActivity,
  team: { readonly id: string; readonly name: string },
  news: Pick<Extract<Inbound, { readonly type: 'joined' }>, 'isGreeted' | 'isChanged'>,
): Inbound => ({
  type: 'joined',
  team: { ...team, serviceUrl: withoutSlash(serviceUrl) },
  ...news,
});

function accountOf(
  way: TeamsWay,
  connection: Connection,
  activity: Extract<TeamsActivity, { readonly type: 'press' | 'command' }>,
): VendorAccount {
  const { person, serviceUrl, conversation } = activity;
  return {
    connectionId: connection.id,
    vendorName: 'Microsoft Teams',
    vendorUserName: person.name,
    async confirmedEmail() {
      if (connection.settings['link_by_email'] !== true) return { email: null };
      const client = clientOf(way, connection, withoutSlash(serviceUrl));
      const tenantId = String(connection.settings['tenant_id']);
      return confirmedEmail(client, { person, conversation, tenantId });
    },
  };
}

type Answering = { readonly replied: readonly Replied[]; readonly request: CallbackRequest };

/** Of an invoke: what whoever pressed sees. */
async function answer(
  way: TeamsWay,
  connection: Connection,
  { replied, request }: Answering,
): Promise<CallbackAnswer> {
  const [one] = replied;
  if (one === undefined) return empty;
  const { reply, inbound } = one;
  if (inbound.type === 'joined' || inbound.type === 'left') return empty;
  const activity = activityIn(request, connection);
  if (inbound.type === 'press' && inbound.message && reply?.edit && activity !== null) {
    const { notice, taken } = reply.edit;
    const client = clientOf(way, connection, withoutSlash(activity.serviceUrl));
    // Whoever pressed sees it all the same, and it is edited with the next change.
    await editOnTeams(client, inbound.message, { ...notice, ...(taken && { taken }) });
  }
  return {
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify({ statusCode: 200, ...shownBy(reply) }),
  };
}

/** https://learn.microsoft.com/adaptive-cards/authoring-cards/universal-action-model#response-format */
function shownBy(reply: Reply): { readonly type: string; readonly value: unknown } {
  const message = (value: string) => ({
    type: 'application/vnd.microsoft.activity.message',
    value,
  });
  if (reply === null) return message('Nothing was changed.');
  const { text, link, choices, shown } = reply;
  if (choices !== undefined) return { type: teamsCardType, value: teamsChoicesOf(text, choices) };
  const words = { text, ...(link && { link }) };
  if (shown) return { type: teamsCardType, value: cardOf(shown, text === '' ? undefined : words) };
  return link ? { type: teamsCardType, value: teamsAnswerOf(words) } : message(text);
}

type Responding = { readonly replied: Replied; readonly request: CallbackRequest };

/** Below the message; a link that is for one person alone goes to their own chat with the bot. */
async function respond(
  way: TeamsWay,
  connection: Connection,
  { replied: { inbound, reply }, request }: Responding,
): Promise<string | null> {
  const activity = activityIn(request, connection);
  if (activity === null || reply === null) return null;
  const client = clientOf(way, connection, withoutSlash(activity.serviceUrl));
  const { text, link } = reply;
  const post = async (conversation: string, words: Pick<NonNullable<Reply>, 'text' | 'link'>) => {
    const sent = await client.reply(conversation, {
      card: teamsAnswerOf(words),
      summary: fit(lineOf(words.text), SUMMARY_LENGTH),
    });
    return sent.ok ? null : teamsFaultOf(sent.failure).reason;
  };
  if (inbound.type === 'joined') return inbound.isGreeted ? post(inbound.team.id, { text }) : null;
  if (activity.type !== 'command') return null;
  const { conversation, isPersonal, person } = activity;
  if (link?.isPersonal !== true || isPersonal)
    return post(conversation, { text, ...(link && { link }) });
  const chat = await client.openChat(person.memberId);
  const problem = chat.ok
    ? await post(chat.result, { text, link })
    : teamsFaultOf(chat.failure).reason;
  if (problem === null) return post(conversation, { text: sentInChat });
  return (await post(conversation, { text: notSentInChat })) ?? problem;
}

const sentInChat = 'I sent you a message in your chat with me.';
const notSentInChat =
  'Your account is not linked to Pager. To link it, open a chat with me and write: link';
