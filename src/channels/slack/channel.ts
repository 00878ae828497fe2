// Slack as a channel: an organisation's apps in their order, each tried until one has posted. Where a
// post about the incident stands, what follows goes below it.
import type {
  Attempt,
  Delivery,
  NoticeChannel,
  PostedMessage,
  ReportedDelivery,
} from '../../engine/sending/channel.ts';
import type { Notice } from '../../notices/notice.ts';
import { holdAfter, type Lane, type LanePort, notSent, turnOf, turnOfEdit } from '../lanes.ts';
import {
  type InTurn,
  inDoubt,
  noteAnswer,
  silenceOf,
  unchanged,
  undelivered,
} from '../vendor-fault.ts';
import type { VendorHttp } from '../vendor-http.ts';
import { createSlackClient, type SentPost, type SlackClient } from './client.ts';
import { type SlackFault, slackFaultOf } from './failure.ts';
import { commentOnSlack, editOnSlack, postOnSlack, replyOnSlack } from './send.ts';

/** An app in a workspace, as a connection has it. */
export type SlackConnection = {
  readonly organization_id: string;
  readonly id: string;
  readonly name: string;
  readonly secrets: Readonly<Record<string, string>>;
};

export type SlackOptions = InTurn<SlackConnection> & {
  readonly baseUrl: string;
  readonly http: VendorHttp;
  readonly lanes: LanePort;
  /** Of an organisation, those that are used, in their order. */
  readonly connectionsOf: (organizationId: string) => Promise<readonly SlackConnection[]>;
};

export const clientOf = (
  { baseUrl, http }: Pick<SlackOptions, 'baseUrl' | 'http'>,
  { secrets }: Pick<SlackConnection, 'secrets'>,
): SlackClient =>
  createSlackClient({
    baseUrl,
    request: http.request,
    botToken: secrets['bot_token'] ?? '',
    appToken: secrets['app_token'] ?? '',
  });

const withoutConnection = 'no Slack connection is set up';

/** Slack takes one post a second in a channel. */
const laneOf = (channelId: string): Lane => ({ name: `slack ${channelId}`, perSecond: 1 });

export function createSlack(options: SlackOptions): Required<NoticeChannel> {
  const { lanes } = options;
  return {
    threads: true,
    async send(notice, channelId, attempt) {
      const connections = await options.connectionsOf(notice.organization.id);
      const thread = attempt?.thread ?? null;
      // What stands below a post is posted by the app that posted it.
      const ofThread = connections.find(({ id }) => id === thread?.connectionId);
      if (thread !== null && ofThread !== undefined) {
        const silence = await silenceBefore(options, ofThread, attempt);
        if (silence !== null) return undelivered([silence], '');
        const lane = laneOf(thread.place);
        const turn = await turnOf(lanes, ofThread, { lanes: [lane], attempt });
        if ('unsent' in turn) return notSent(turn);
        const reply = await replyOnSlack(clientOf(options, ofThread), postOf(thread), notice);
        await noteAnswer(options, ofThread, 'fault' in reply ? reply.fault : null);
        if ('fault' in reply) await holdAfter(lanes, ofThread, lane.name, reply.fault);
        // The post above it shows the incident as it is: this one stays as it was written.
        if ('sent' in reply) return taken(reply.sent, ofThread);
        const { fault } = reply;
        if (fault.blame === 'later') return inDoubt(undelivered([fault], ''), [fault]);
      }
      return postBy(options, connections, { channelId, notice, attempt });
    },

    show: (notice, posted) => changeBy(options, editOnSlack, { notice, posted }),
    comment: (notice, posted) => changeBy(options, commentOnSlack, { notice, posted }),
  };
}

type Change = { readonly notice: Notice; readonly posted: PostedMessage };

/** By the app that posted it. */
async function changeBy(
  options: SlackOptions,
  change: typeof editOnSlack,
  { notice, posted }: Change,
): Promise<Delivery> {
  const connections = await options.connectionsOf(notice.organization.id);
  const connection = connections.find(({ id }) => id === posted.connectionId);
  if (connection === undefined)
    return { outcome: 'failed', reason: 'its Slack connection is not in use' };
  const lane = laneOf(posted.place);
  const turn = await turnOfEdit(options.lanes, connection, [lane]);
  if ('unsent' in turn) return turn.unsent;
  const fault = await change(clientOf(options, connection), postOf(posted), notice);
  await noteAnswer(options, connection, fault);
  if (fault === null) return { outcome: 'delivered' };
  await holdAfter(options.lanes, connection, lane.name, fault);
  return unchanged(fault);
}

type Post = {
  readonly channelId: string;
  readonly notice: Notice;
  readonly attempt: Attempt | undefined;
};

async function postBy(
  options: SlackOptions,
  connections: readonly SlackConnection[],
  { channelId, notice, attempt }: Post,
): Promise<ReportedDelivery> {
  const faults: SlackFault[] = [];
  const lane = laneOf(channelId);
  for (const connection of await options.inTurn(connections)) {
    const silence = await silenceBefore(options, connection, attempt);
    if (silence !== null) {
      faults.push(silence);
      break;
    }
    const turn = await turnOf(options.lanes, connection, { lanes: [lane], attempt });
    if ('unsent' in turn) {
      if ('outcome' in turn.unsent) return turn.unsent;
      faults.push(turn.unsent);
      continue;
    }
    const posted = await postOnSlack(clientOf(options, connection), channelId, notice);
    await noteAnswer(options, connection, 'fault' in posted ? posted.fault : null);
    if ('sent' in posted) return delivered(posted.sent, connection);
    const { fault } = posted;
    faults.push(fault);
    await holdAfter(options.lanes, connection, lane.name, fault);
    // Slack itself is in trouble: another app would only wait as long, or post it twice.
    if (fault.blame === 'later' && fault.retryAfterSeconds === undefined) break;
  }
  return inDoubt(undelivered(faults, withoutConnection), faults);
}

/** Why a page that Slack may have taken before is not posted now; null: it is. */
async function silenceBefore(
  options: SlackOptions,
  connection: SlackConnection,
  attempt: Attempt | undefined,
): Promise<SlackFault | null> {
  if (!attempt?.maybeTaken) return null;
  const probe = await clientOf(options, connection).authTest();
  const silence = silenceOf(probe.ok ? null : slackFaultOf(probe.failure));
  if (silence !== null) await noteAnswer(options, connection, silence);
  return silence;
}

const taken = (sent: SentPost, connection: SlackConnection) =>
  ({
    outcome: 'delivered',
    answer: answerOf(sent, connection),
    counted: { connectionId: connection.id },
  }) as const satisfies Delivery;

const delivered = (sent: SentPost, connection: SlackConnection): Delivery => ({
  ...taken(sent, connection),
  posted: [{ connectionId: connection.id, place: sent.channel, messageId: sent.ts }],
});

const answerOf = ({ channel, ts }: SentPost, { name }: SlackConnection): string =>
  `message ${ts} in ${channel} by ${name}`;

const postOf = ({ place, messageId }: PostedMessage): SentPost => ({
  channel: place,
  ts: messageId,
});
