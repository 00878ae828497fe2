// Telegram as a channel: an organisation's bots in their order, each tried until one has sent.
import type { Delivery, NoticeChannel } from '../../engine/sending/channel.ts';
import type { Notice } from '../../notices/notice.ts';
import type { TelegramVerb } from '../../notices/telegram.ts';
import { holdAfter, type Lane, type LanePort, turnOf, turnOfEdit } from '../lanes.ts';
import {
  type InTurn,
  inDoubt,
  noteAnswer,
  silenceOf,
  unchanged,
  undelivered,
} from '../vendor-fault.ts';
import type { VendorHttp } from '../vendor-http.ts';
import { createTelegramClient, type TelegramClient } from './client.ts';
import { type TelegramFault, telegramFaultOf } from './failure.ts';
import { editOnTelegram, sendToTelegram } from './send.ts';

/** A bot, as a connection has it. */
export type TelegramConnection = {
  readonly organization_id: string;
  readonly id: string;
  readonly name: string;
  readonly secrets: Readonly<Record<string, string>>;
};

export type TelegramOptions = InTurn<TelegramConnection> & {
  readonly baseUrl: string;
  readonly http: VendorHttp;
  readonly lanes: LanePort;
  /** Of an organisation, those that are used, in their order. */
  readonly connectionsOf: (organizationId: string) => Promise<readonly TelegramConnection[]>;
  /** The chat takes nothing more. */
  readonly lost: (
    chat: { readonly organizationId: string; readonly address: string },
    loss: ChatLoss,
  ) => Promise<void>;
};

type ChatLoss = { readonly state: 'blocked' | 'gone'; readonly reason: string };

export const telegramUrl = 'https://api.telegram.org';

export const clientOf = (
  { baseUrl, http }: Pick<TelegramOptions, 'baseUrl' | 'http'>,
  { secrets }: Pick<TelegramConnection, 'secrets'>,
): TelegramClient =>
  createTelegramClient({ baseUrl, token: secrets['bot_token'] ?? '', request: http.request });

const botLane: Lane = { name: 'telegram', perSecond: 25 };

/** To a group, whose ids are negative, Telegram takes 20 in a minute. */
const chatLane = (chatId: string): Lane => ({
  name: `telegram ${chatId}`,
  perSecond: chatId.startsWith('-') ? 1 / 3 : 1,
});

/**
 * Telegram does not say whether the bot or the chat gets too much: it is the bot where the chat has
 * got nothing for some time.
 */
const fullLane = (chatId: string, { isFirst }: { readonly isFirst: boolean }): string =>
  isFirst ? botLane.name : chatLane(chatId).name;

type TelegramChannel = NoticeChannel & Required<Pick<NoticeChannel, 'show'>>;

export function createTelegram(options: TelegramOptions): TelegramChannel {
  const { lanes } = options;
  return {
    async send(notice, chatId, attempt) {
      const organizationId = notice.organization.id;
      const connections = await options.inTurn(await options.connectionsOf(organizationId));
      const faults: TelegramFault[] = [];
      for (const connection of connections) {
        const client = clientOf(options, connection);
        const silence = attempt?.maybeTaken ? await silenceOfBot(client) : null;
        if (silence !== null) {
          faults.push(silence);
          await noteAnswer(options, connection, silence);
          break;
        }
        const inLanes = { lanes: [botLane, chatLane(chatId)], attempt };
        const turn = await turnOf(lanes, connection, inLanes);
        if ('unsent' in turn) {
          if ('outcome' in turn.unsent) return turn.unsent;
          faults.push(turn.unsent);
          continue;
        }
        const delivery = await sendToTelegram(client, chatId, notice, handlesOf(notice));
        if (delivery.outcome === 'delivered') {
          await noteAnswer(options, connection, null);
          const { chatId: place, messageId } = delivery.sent;
          const posted = { connectionId: connection.id, place, messageId: String(messageId) };
          const answer = `message ${messageId} of ${connection.name}`;
          const counted = { connectionId: connection.id };
          return { outcome: 'delivered', answer, posted: [posted], counted };
        }
        const { fault } = delivery;
        faults.push(fault);
        await noteAnswer(options, connection, fault);
        await holdAfter(lanes, connection, fullLane(chatId, turn), fault);
        // Telegram itself is in trouble: another bot would only wait as long, or send it twice.
        if (fault.blame === 'later' && fault.retryAfterSeconds === undefined) break;
      }
      const loss = lossOf(faults);
      if (loss !== null) await options.lost({ organizationId, address: chatId }, loss);
      return inDoubt(undelivered(faults, 'no Telegram connection is set up'), faults);
    },
    async show(notice, { connectionId, place: chatId, messageId }): Promise<Delivery> {
      const connections = await options.connectionsOf(notice.organization.id);
      const connection = connections.find(({ id }) => id === connectionId);
      if (connection === undefined)
        return { outcome: 'failed', reason: 'its Telegram connection is no longer used' };
      const turn = await turnOfEdit(lanes, connection, [botLane, chatLane(chatId)]);
      if ('unsent' in turn) return turn.unsent;
      const edited = await editOnTelegram(
        clientOf(options, connection),
        { chatId, messageId: Number(messageId) },
        notice,
        handlesOf(notice),
      );
      if (edited.outcome === 'delivered') return edited;
      await holdAfter(lanes, connection, fullLane(chatId, turn), edited.fault);
      return unchanged(edited.fault);
    },
  };
}

async function silenceOfBot(client: TelegramClient): Promise<TelegramFault | null> {
  const probe = await client.getMe();
  return silenceOf(probe.ok ? null : telegramFaultOf(probe.failure));
}

/** Null: a bot that failed for another reason may still reach the chat. */
function lossOf(faults: readonly TelegramFault[]): ChatLoss | null {
  const losses = faults.flatMap(({ contactState: state, reason }) =>
    state === undefined ? [] : [{ state, reason }],
  );
  if (losses.length < faults.length) return null;
  // Whoever unblocks one of them is reached again, whatever the others say.
  return losses.find(({ state }) => state === 'blocked') ?? losses[0] ?? null;
}

export function handlesOf(notice: Notice) {
  const handles = notice.about === 'incident' ? notice.handles : undefined;
  return handles && ((action: TelegramVerb) => handles[action]);
}
