// Polls what people do at vendors that do not call, and answers it.

import { type ReceiveParts, receive } from '../api/receiving/receive.ts';
import { createLimiter } from '../api/sign-in/limiter.ts';
import { clientOf, handlesOf, type TelegramConnection } from '../channels/telegram/channel.ts';
import type { TelegramClient } from '../channels/telegram/client.ts';
import { telegramFaultOf } from '../channels/telegram/failure.ts';
import { readTelegramUpdate, type TelegramInbound } from '../channels/telegram/read.ts';
import { editOnTelegram } from '../channels/telegram/send.ts';
import { createVendorHttp } from '../channels/vendor-http.ts';
import { Listener, type Poll, type Polled } from '../engine/listening/listen.ts';
import { startLoop } from '../engine/loop.ts';
import type { Inbound, Reply } from '../engine/receiving/inbound.ts';
import { readCommand } from '../engine/receiving/verbs.ts';
import { accessLimits } from '../limits/access.ts';
import { sendingLimits } from '../limits/sending.ts';
import { noteHealth, openConnection } from '../storage/connections/connections.ts';
import {
  advanceListener,
  claimListener,
  listPolled,
  releaseListeners,
} from '../storage/connections/listeners.ts';
import { vendorUrl } from './channels.ts';
import type { ServerContext } from './context.ts';
import type { Engine } from './engine.ts';

export function startListening(
  world: ServerContext,
  engine: Pick<Engine, 'ledger' | 'committed' | 'metrics'>,
  stack: AsyncDisposableStack,
): void {
  const { clock, log, ids, pools, secrets, config } = world;
  const { engine: sql } = pools;
  const holder = ids.next();
  const http = createVendorHttp();
  const telegram = { baseUrl: vendorUrl(config, 'telegram'), http };
  const receiving: ReceiveParts = {
    ...{ sql, ids, clock, secrets },
    ...{ publicUrl: config.publicUrl, ledger: engine.ledger, committed: engine.committed },
    strangers: createLimiter({ clock, tries: accessLimits.strangersAnHour, seconds: 3_600 }),
    failed: (error) => log.error({ err: error }, 'a message could not be brought up to date'),
  };
  const introduced = new Set<string>();

  /** The bot's name, and that it is to be polled. */
  async function introduce(client: TelegramClient): Promise<string> {
    const bot = await client.getMe();
    if (!bot.ok) throw new Refused(telegramFaultOf(bot.failure).reason);
    const unhooked = await client.deleteWebhook();
    if (!unhooked.ok) throw new Refused(telegramFaultOf(unhooked.failure).reason);
    return bot.result.username;
  }

  async function poll(polled: Polled, from: number, signal: AbortSignal): Promise<Poll> {
    const { organization_id: organizationId, id: connectionId } = polled;
    const connection = await openConnection({ sql, secrets }, organizationId, connectionId);
    if (connection === null) {
      const reason = 'its secrets cannot be read: set them anew';
      await noteHealth(sql, { organizationId, connectionId, now: clock.now(), reason });
      return { ok: false, reason };
    }
    const client = clientOf(telegram, connection);
    const note = (reason: string | null, account?: string) =>
      noteHealth(sql, {
        ...{ organizationId, connectionId, now: clock.now(), reason },
        ...(account !== undefined && { account }),
      });
    const key = `${connectionId} ${polled.version}`;
    try {
      if (!introduced.has(key)) await note(null, await introduce(client));
      introduced.add(key);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await note(error.message);
      return { ok: false, reason: error.message };
    }
    const updates = await client.getUpdates({
      ...{ offset: from, timeoutSeconds: sendingLimits.telegramPoll, signal },
    });
    if (signal.aborted) return { ok: true, updates: [] };
    if (!updates.ok) {
      const { reason, retryAfterSeconds } = telegramFaultOf(updates.failure);
      await note(reason);
      return { ok: false, reason, ...(retryAfterSeconds && { retryAfterSeconds }) };
    }
    await note(null);
    return {
      ok: true,
      updates: updates.result
        .map(readTelegramUpdate)
        .flatMap(({ updateId, inbound }) =>
          updateId === null ? [] : [updateOf({ client, connection }, updateId, inbound)],
        ),
    };
  }

  const updateOf = (bot: Bot, number: number, inbound: TelegramInbound) => ({
    number,
    handle: () => handle(bot, inbound),
    isOnce: inbound.type === 'text' && readCommand(inbound.text)?.action === 'escalate',
    giveUp: async () => {
      await answer(bot.client, inbound, {
        text: 'This could not be done. Do it in Pager instead.',
      });
    },
  });

  async function handle(bot: Bot, inbound: TelegramInbound): Promise<void> {
    const read = inboundOf(inbound);
    if (read === null) return;
    const { organization_id: organizationId, id: connectionId } = bot.connection;
    const source = { organizationId, channel: 'telegram', connectionId } as const;
    const reply = await receive(receiving, source, read);
    const problem = reply && (await answer(bot.client, inbound, reply));
    if (problem)
      log.warn({ connection: bot.connection.id, reason: problem }, 'an answer could not be sent');
  }

  const listener = new Listener({
    ...{ clock, poll },
    list: () => listPolled(sql, { vendors: ['telegram'], holder, now: clock.now() }),
    claim: (polled, until) => claimListener(sql, { polled, holder, now: clock.now(), until }),
    advance: (polled, next, until) => advanceListener(sql, { polled, holder, next, until }),
    failed(polled, error) {
      engine.metrics.loopFailed('listeners');
      log.error({ err: error, connection: polled.id }, 'what was received could not be handled');
    },
  });
  stack.defer(() => releaseListeners(sql, holder));
  stack.use(listener);
  stack.use(
    startLoop({
      ...{ name: 'listeners', clock, log, work: async () => 0 },
      async next() {
        await listener.refresh();
        return null;
      },
      failed: () => engine.metrics.loopFailed('listeners'),
    }),
  );
}

class Refused extends Error {}

type Bot = { readonly client: TelegramClient; readonly connection: TelegramConnection };

function inboundOf(inbound: TelegramInbound): Inbound | null {
  switch (inbound.type) {
    case 'ignored':
      return null;
    case 'start':
      return { type: 'start', address: inbound.chatId, code: inbound.code };
    case 'press':
      return { type: 'press', address: inbound.chatId, handle: inbound.handle };
    case 'text':
      return { type: 'text', address: inbound.chatId, text: inbound.text };
    default:
      return { type: inbound.type, address: inbound.chatId };
  }
}

/** What was answered, or why it could not be. */
async function answer(
  client: TelegramClient,
  inbound: TelegramInbound,
  { text, edit }: NonNullable<Reply>,
): Promise<string | null> {
  if (inbound.type === 'press') {
    const { callbackId, chatId, messageId } = inbound;
    const [shown, edited] = await Promise.all([
      client.answerCallbackQuery(callbackId, { text }),
      edit && editOnTelegram(client, { chatId, messageId }, edit, handlesOf(edit.notice)),
    ]);
    if (edited?.outcome === 'failed') return edited.fault.reason;
    return shown.ok ? null : telegramFaultOf(shown.failure).reason;
  }
  if (inbound.type !== 'start' && inbound.type !== 'text') return null;
  const sent = await client.sendMessage(inbound.chatId, plainText(text));
  return sent.ok ? null : telegramFaultOf(sent.failure).reason;
}

const plainText = (text: string) =>
  ({ text, link_preview_options: { is_disabled: true } }) as const;
