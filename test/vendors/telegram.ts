// Telegram's Bot API on loopback, with one bot. It refuses what Telegram refuses, in its words,
// and what does not keep to the contract.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../src/engine/clock.ts';
import {
  buttonDataBytesMax,
  telegramContract as contract,
  messageLengthMax,
  notificationLengthMax,
} from './telegram-contract.ts';
import { type Entity, readTelegramHtml, readTelegramText } from './telegram-html.ts';
import { TokenBuckets } from './token-buckets.ts';

type Button = { readonly text: string; readonly callback_data: string };

/** As the person in the chat sees it. */
type Message = {
  readonly messageId: number;
  readonly chatId: string;
  /** When it was sent, in seconds since 1970. */
  readonly date: number;
  text: string;
  entities: readonly Entity[];
  buttons: readonly (readonly Button[])[];
  /** How often it was edited. */
  edits: number;
};

/** What becomes of the next call of a method. */
export type Misbehaviour =
  | {
      readonly type: 'refuse';
      readonly code: number;
      readonly description: string;
      readonly parameters?: object;
    }
  | { readonly type: 'too_many'; readonly retryAfter: number }
  | { readonly type: 'broken' }
  /** Never answered. */
  | { readonly type: 'hang' }
  | { readonly type: 'reset' }
  /** Done, and the connection breaks before the answer. */
  | { readonly type: 'answer_lost' }
  /** Done, and never answered. */
  | { readonly type: 'done_but_hangs' };

type Parameters = Readonly<Record<string, unknown>>;
type Call = { readonly method: string; readonly parameters: Parameters };

type Person = {
  readonly id: number;
  readonly username: string;
  state: 'active' | 'blocked' | 'deleted';
};
type Update = { readonly update_id: number } & Readonly<Record<string, unknown>>;
type Poll = {
  readonly offset: number;
  readonly limit: number;
  readonly answer: (reply: Reply) => void;
};

/** Of one method; a failure has an `error_code`. */
type Reply =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false;
      readonly error_code: number;
      readonly description: string;
      readonly parameters?: object;
    };

type Method = (parameters: Parameters, response: ServerResponse) => Reply | Promise<Reply>;

export type FakeTelegram = AsyncDisposable & {
  /** Of the API, for a client. */
  readonly url: string;
  readonly token: string;
  readonly bot: { readonly id: string; readonly username: string; readonly name: string };
  readonly messages: readonly Message[];
  readonly calls: readonly Call[];
  /** The chats of the calls that were more than Telegram takes. */
  readonly refusedByRate: readonly string[];
  /** What was shown for a press, by its id; a press that was not answered has none. */
  readonly answers: ReadonlyMap<string, { readonly text: string; readonly isAlert: boolean }>;
  /** The updates that are not confirmed. */
  readonly pending: readonly Update[];
  /** Opens the chat and presses Start, with the code of a link if there is one. */
  start(chatId: string, code?: string): void;
  /** Presses a button by what stands on it, or is sent by it; answers the id of the press. */
  press(messageId: number, verb: string): string;
  write(chatId: string, text: string, replyToMessageId?: number): void;
  block(chatId: string): void;
  unblock(chatId: string): void;
  /** The person deletes their account. */
  deleteAccount(chatId: string): void;
  setWebhook(url: string): void;
  revokeToken(): void;
  misbehave(method: string, how: Misbehaviour): void;
  /** Does what is requested, and no answer comes through, until `comeBack`. */
  loseAnswers(): void;
  comeBack(): void;
  /** Delivers the last update once more, as to a client that died before it confirmed it. */
  deliverAgain(): void;
  /** The time of the client that waits for updates is over. */
  endPoll(): void;
  /** Nobody did anything for a week: the next update has any number, such as a lower one. */
  passWeek(): void;
  /** Resolves once a client waits for updates. */
  polled(): Promise<void>;
};

const TOKEN = '264434259:AAE-dT0kenOfTheFakeBotApi_0123456789';

export async function startFakeTelegram(
  now: () => Temporal.Instant = systemClock.now,
): Promise<FakeTelegram> {
  const dateNow = () => Math.floor(now().epochMilliseconds / 1_000);
  const user = { id: 264434259, is_bot: true, first_name: 'Pager', username: 'pager_test_bot' };
  const people = new Map<string, Person>();
  const messages: Message[] = [];
  const calls: Call[] = [];
  const refusedByRate: string[] = [];
  const answers = new Map<string, { text: string; isAlert: boolean }>();
  const openPresses = new Set<string>();
  const misbehaviours: { readonly method: string; readonly how: Misbehaviour }[] = [];
  let pending: Update[] = [];
  let lastUpdate: Update | undefined;
  let allowed: readonly string[] = [];
  let poll: Poll | undefined;
  let waiting = Promise.withResolvers<void>();
  let webhook = '';
  let isRevoked = false;
  let isCutOff = false;
  let lastMessageId = 0;
  let lastUpdateId = 913_527_393;
  let lastPress = 688_111_769_854_308_994n;

  const bots = new TokenBuckets({ perSecond: 30, burst: 30, now });
  // Short bursts are taken, as Telegram documents.
  const chats = new TokenBuckets({ perSecond: 1, burst: 20, now });
  const groups = new TokenBuckets({ perSecond: 1 / 3, burst: 20, now });

  /** Of the bot, then of the chat; which of them it was is not said. */
  function refusalByRate(method: string, { chat_id }: Parameters): Reply | undefined {
    if (!['sendMessage', 'editMessageText'].includes(method)) return undefined;
    const chatId = String(chat_id);
    if (people.get(chatId)?.state !== 'active') return undefined;
    const retry_after =
      bots.take('') || chats.take(chatId) || (chatId.startsWith('-') ? groups.take(chatId) : 0);
    if (retry_after === 0) return undefined;
    refusedByRate.push(chatId);
    return refused(429, `Too Many Requests: retry after ${retry_after}`, { retry_after });
  }

  const methods: Readonly<Record<string, Method>> = {
    getMe: () =>
      done({
        ...user,
        can_join_groups: false,
        can_read_all_group_messages: false,
        supports_guest_queries: false,
        supports_inline_queries: false,
        can_connect_to_business: false,
        has_main_web_app: false,
        has_topics_enabled: false,
        allows_users_to_create_topics: false,
        can_manage_bots: false,
        supports_join_request_queries: false,
      }),
    sendMessage(parameters) {
      const chatId = String(parameters['chat_id']);
      const refusal = refusalToWriteTo(chatId);
      if (refusal) return refusal;
      const content = contentOf(parameters);
      if ('ok' in content) return content;
      lastMessageId += 1;
      const message = { messageId: lastMessageId, chatId, date: dateNow(), ...content, edits: 0 };
      messages.push(message);
      return done(messageAnswer(message));
    },
    editMessageText(parameters) {
      const { chat_id, message_id } = parameters;
      const message = messages.find(
        (one) => one.chatId === String(chat_id) && one.messageId === message_id,
      );
      if (!people.has(String(chat_id))) return refused(400, 'Bad Request: chat not found');
      if (!message) return refused(400, 'Bad Request: message to edit not found');
      const refusal = refusalToWriteTo(message.chatId);
      if (refusal) return refusal;
      const content = contentOf(parameters);
      if ('ok' in content) return content;
      const { text, entities, buttons } = message;
      if (JSON.stringify({ text, entities, buttons }) === JSON.stringify(content))
        return refused(
          400,
          'Bad Request: message is not modified: specified new message content and reply markup ' +
            'are exactly the same as a current content and reply markup of the message',
        );
      Object.assign(message, content, { edits: message.edits + 1 });
      return done({ ...messageAnswer(message), edit_date: dateNow() });
    },
    answerCallbackQuery({ callback_query_id, text = '', show_alert = false }) {
      const id = String(callback_query_id);
      if (!openPresses.has(id))
        return refused(
          400,
          'Bad Request: query is too old and response timeout expired or query ID is invalid',
        );
      const words = String(text);
      if (words.length > notificationLengthMax)
        return refused(400, 'Bad Request: MESSAGE_TOO_LONG');
      openPresses.delete(id);
      answers.set(id, { text: words, isAlert: show_alert === true });
      return done(true);
    },
    deleteWebhook() {
      webhook = '';
      return done(true);
    },
    getUpdates(parameters, response) {
      if (webhook !== '')
        return refused(
          409,
          "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to " +
            'delete the webhook first',
        );
      // As the real one does: it is the poller that waits who is refused.
      poll?.answer(
        refused(
          409,
          'Conflict: terminated by other getUpdates request; make sure that only one bot ' +
            'instance is running',
        ),
      );
      const { offset = 0, limit = 100, timeout = 0, allowed_updates } = parameters;
      if (Number(offset) < 0) throw new Error('the fake knows no negative offset');
      if (Array.isArray(allowed_updates)) allowed = allowed_updates.map(String);
      pending = pending.filter(({ update_id }) => update_id >= Number(offset));
      const size = Math.min(Math.max(Number(limit), 1), 100);
      if (pending.length > 0 || Number(timeout) <= 0) return done(pending.slice(0, size));
      return waitFor({ offset: Number(offset), limit: size }, Number(timeout), response);
    },
  };

  function waitFor(
    range: Pick<Poll, 'offset' | 'limit'>,
    timeoutSeconds: number,
    response: ServerResponse,
  ): Promise<Reply> {
    const reply = Promise.withResolvers<Reply>();
    const end = setTimeout(() => own.answer(done([])), timeoutSeconds * 1_000);
    const own: Poll = {
      ...range,
      answer(value) {
        clearTimeout(end);
        if (poll === own) {
          poll = undefined;
          waiting = Promise.withResolvers();
        }
        reply.resolve(value);
      },
    };
    // The poller may leave before that.
    response.once('close', () => own.answer(done([])));
    poll = own;
    waiting.resolve();
    return reply.promise;
  }

  function add(kind: string, value: unknown): void {
    if (allowed.length > 0 && !allowed.includes(kind)) return;
    lastUpdateId += 1;
    const update = { update_id: lastUpdateId, [kind]: value };
    const problem = contract.updateProblem(update);
    if (problem !== undefined) throw new Error(problem);
    lastUpdate = update;
    deliver(update);
  }

  function deliver(update: Update): void {
    pending.push(update);
    if (poll === undefined) return;
    const { offset, limit, answer } = poll;
    // What stands before its offset counts as confirmed.
    const wanted = pending.filter(({ update_id }) => update_id >= offset);
    if (wanted.length > 0) answer(done(wanted.slice(0, limit)));
  }

  function personIn(chatId: string): Person {
    const person = people.get(chatId);
    if (!person) throw new Error(`nobody has started the bot in the chat ${chatId}`);
    return person;
  }

  function refusalToWriteTo(chatId: string): Reply | undefined {
    switch (people.get(chatId)?.state) {
      case undefined:
        return refused(400, 'Bad Request: chat not found');
      case 'blocked':
        return refused(403, 'Forbidden: bot was blocked by the user');
      case 'deleted':
        return refused(403, 'Forbidden: user is deactivated');
      case 'active':
        return undefined;
    }
  }

  function addMembership(chatId: string, from: 'member' | 'kicked', to: 'member' | 'kicked') {
    const person = personIn(chatId);
    const member = (status: 'member' | 'kicked') =>
      status === 'kicked' ? { status, user, until_date: 0 } : { status, user };
    add('my_chat_member', {
      chat: chatOf(person),
      from: userOf(person),
      date: dateNow(),
      old_chat_member: member(from),
      new_chat_member: member(to),
    });
  }

  function messageAnswer(message: Message): Readonly<Record<string, unknown>> {
    const { messageId, chatId, date, text, entities, buttons } = message;
    return {
      message_id: messageId,
      from: user,
      chat: chatOf(personIn(chatId)),
      date,
      text,
      ...(entities.length > 0 ? { entities } : {}),
      link_preview_options: { is_disabled: true },
      ...(buttons.length > 0 ? { reply_markup: { inline_keyboard: buttons } } : {}),
    };
  }

  function write(chatId: string, text: string, replyToMessageId?: number): void {
    const person = personIn(chatId);
    const repliedTo = messages.find(({ messageId }) => messageId === replyToMessageId);
    if (replyToMessageId !== undefined && !repliedTo) throw new Error('no such message');
    const command = /^\/\w+/.exec(text)?.[0];
    lastMessageId += 1;
    add('message', {
      message_id: lastMessageId,
      from: userOf(person),
      chat: chatOf(person),
      date: dateNow(),
      text,
      ...(command && { entities: [{ offset: 0, length: command.length, type: 'bot_command' }] }),
      ...(repliedTo && { reply_to_message: messageAnswer(repliedTo) }),
    });
  }

  async function replyTo(
    method: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Reply | Misbehaviour> {
    const body = (await request.toArray()).join('');
    const run = methods[method];
    if (isRevoked) return refused(401, 'Unauthorized');
    if (!run) return refused(404, 'Not Found');
    const parameters = parametersOf(request, body);
    const problem = contract.requestProblem(method, parameters);
    if (problem !== undefined) return refused(400, `Bad Request: ${problem}`);
    calls.push({ method, parameters });
    const index = misbehaviours.findIndex((one) => one.method === method);
    const [misbehaviour] = index < 0 ? [] : misbehaviours.splice(index, 1);
    const isDone = ['answer_lost', 'done_but_hangs'].includes(misbehaviour?.how.type ?? '');
    if (misbehaviour && !isDone) return misbehaviour.how;
    const reply = refusalByRate(method, parameters) ?? (await run(parameters, response));
    const wrong = reply.ok ? contract.resultProblem(method, reply.result) : undefined;
    if (wrong !== undefined) throw new Error(wrong);
    return isCutOff ? { type: 'answer_lost' } : (misbehaviour?.how ?? reply);
  }

  const server = createServer(async (request, response) => {
    const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? [];
    if (token !== TOKEN) {
      const isToken = /^\d+:[\w-]{30,}$/.test(token ?? '');
      writeAnswer(response, isToken ? refused(401, 'Unauthorized') : refused(404, 'Not Found'));
      return;
    }
    answerWith(response, await replyTo(method, request, response));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // Listening on a port, a server never has a path or nothing for an address.
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    token: TOKEN,
    bot: { id: String(user.id), username: user.username, name: user.first_name },
    messages,
    calls,
    refusedByRate,
    answers,
    get pending() {
      return pending;
    },
    start(chatId, code) {
      const id = Number(chatId);
      people.set(chatId, { id, username: `user_${id}`, state: 'active' });
      write(chatId, code === undefined ? '/start' : `/start ${code}`);
    },
    press(messageId, verb) {
      const message = messages.find((one) => one.messageId === messageId);
      const button = message?.buttons
        .flat()
        .find(({ text, callback_data }) => [text, callback_data].includes(verb));
      if (!message || !button) throw new Error(`the message ${messageId} has no button ${verb}`);
      lastPress += 1n;
      const id = String(lastPress);
      openPresses.add(id);
      add('callback_query', {
        id,
        from: userOf(personIn(message.chatId)),
        message: messageAnswer(message),
        chat_instance: '-428019502972440238',
        data: button.callback_data,
      });
      return id;
    },
    write,
    block(chatId) {
      personIn(chatId).state = 'blocked';
      addMembership(chatId, 'member', 'kicked');
    },
    unblock(chatId) {
      personIn(chatId).state = 'active';
      addMembership(chatId, 'kicked', 'member');
    },
    deleteAccount(chatId) {
      personIn(chatId).state = 'deleted';
    },
    setWebhook(url) {
      webhook = url;
      poll?.answer(refused(409, 'Conflict: terminated by setWebhook request'));
    },
    revokeToken() {
      isRevoked = true;
      poll?.answer(refused(401, 'Unauthorized'));
    },
    misbehave(method, how) {
      misbehaviours.push({ method, how });
    },
    loseAnswers() {
      isCutOff = true;
    },
    comeBack() {
      isCutOff = false;
    },
    deliverAgain() {
      if (lastUpdate === undefined || poll === undefined) throw new Error('nobody would get it');
      pending.push(lastUpdate);
      poll.answer(done([lastUpdate]));
    },
    endPoll: () => poll?.answer(done([])),
    passWeek() {
      lastUpdateId -= 500_000_000;
    },
    polled: () => waiting.promise,
    async [Symbol.asyncDispose]() {
      poll?.answer(done([]));
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const done = (result: unknown): Reply => ({ ok: true, result });

const refused = (error_code: number, description: string, parameters?: object): Reply => ({
  ok: false,
  error_code,
  description,
  ...(parameters ? { parameters } : {}),
});

const userOf = ({ id, username }: Person) => ({
  id,
  is_bot: false,
  first_name: 'Ada',
  username,
  language_code: 'en',
});

const chatOf = ({ id, username }: Person) => ({ id, type: 'private', first_name: 'Ada', username });

function parametersOf({ headers, method }: IncomingMessage, body: string): Parameters {
  if (method !== 'POST' || !headers['content-type']?.startsWith('application/json')) return {};
  return JSON.parse(body);
}

/** What a message shows; a reply is the refusal of it. */
function contentOf(parameters: Parameters): Reply | Pick<Message, 'text' | 'entities' | 'buttons'> {
  const { text: written, parse_mode } = parameters;
  const raw = String(written ?? '');
  if (parse_mode !== undefined && parse_mode !== 'HTML')
    return refused(400, 'Bad Request: unsupported parse_mode');
  const formatted = parse_mode === 'HTML' ? readTelegramHtml(raw) : readTelegramText(raw);
  if (typeof formatted === 'string')
    return refused(400, `Bad Request: can't parse entities: ${formatted}`);
  const { text, entities } = formatted;
  if (text === '') return refused(400, 'Bad Request: message text is empty');
  if (text.length > messageLengthMax) return refused(400, 'Bad Request: message is too long');
  const buttons = buttonsOf(parameters['reply_markup']);
  for (const { text: label, callback_data } of buttons.flat()) {
    if (label === '') return refused(400, 'Bad Request: inline keyboard button text is empty');
    const size = Buffer.byteLength(callback_data ?? '');
    if (size < 1 || size > buttonDataBytesMax)
      return refused(400, 'Bad Request: BUTTON_DATA_INVALID');
  }
  return { text, entities, buttons };
}

/** The contract was checked before. */
function buttonsOf(markup: unknown): Message['buttons'] {
  return (markup as { inline_keyboard?: Message['buttons'] } | undefined)?.inline_keyboard ?? [];
}

function answerWith(response: ServerResponse, reply: Reply | Misbehaviour): void {
  if ('ok' in reply) {
    writeAnswer(response, reply);
  } else if (reply.type === 'refuse') {
    writeAnswer(response, refused(reply.code, reply.description, reply.parameters));
  } else if (reply.type === 'too_many') {
    const { retryAfter } = reply;
    const description = `Too Many Requests: retry after ${retryAfter}`;
    response.setHeader('retry-after', retryAfter);
    writeAnswer(response, refused(429, description, { retry_after: retryAfter }));
  } else if (reply.type === 'broken') {
    writeAnswer(response, refused(500, 'Internal Server Error'));
  } else if (reply.type !== 'hang' && reply.type !== 'done_but_hangs') {
    response.socket?.resetAndDestroy();
  }
}

function writeAnswer(response: ServerResponse, reply: Reply): void {
  response.statusCode = reply.ok ? 200 : reply.error_code;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(reply));
}
