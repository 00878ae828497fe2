import { sendingLimits } from '../../limits/sending.ts';
import { fit, lineOf } from '../../notices/words/wording.ts';
import { itemsOf, membersOf, parsedJson } from '../json.ts';
import type { VendorHttp, VendorRequest } from '../vendor-http.ts';
import type { TwilioConnection } from './connection.ts';

const MESSAGE_LENGTH_STORED = 200;
/** More than are made for one number before somebody wants to know of them. */
const LISTED = 20;

export type TwilioFailure =
  /** An error of the API. */
  | {
      readonly type: 'refused';
      readonly status: number;
      /** 0: it names none. */
      readonly code: number;
      readonly message: string;
    }
  /** No answer, or one that is not of the API. */
  | { readonly type: 'no_answer'; readonly reason: string; readonly maybeExecuted: boolean };

export type TwilioResult<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly failure: TwilioFailure };

/** A call or a message. */
export type TwilioResource = {
  readonly sid: string;
  readonly status: string;
  readonly createdAt: Temporal.Instant | null;
  /** Of a message that did not arrive; 0: none is named. */
  readonly errorCode: number;
  /** Of a message. */
  readonly body: string;
};

/** One that somebody has sent to a number of the account. */
export type InboundMessage = {
  readonly sid: string;
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly createdAt: Temporal.Instant;
};

export type InboundPage = {
  readonly messages: readonly InboundMessage[];
  /** Where the list goes on; null: nowhere. */
  readonly next: string | null;
};

type Received = {
  /** A number of the account. */
  readonly to: string;
  /** The first day, as UTC has it. */
  readonly since: Temporal.PlainDate;
  readonly next: string | null;
  readonly signal?: AbortSignal;
};

/** What a message is made of, with its variables. */
export type TwilioContent = {
  /** How many variables its body has, by their numbers. */
  readonly variables: number;
  /** What its quick-reply buttons carry, or else their titles; null: it is of another type. */
  readonly buttons: readonly string[] | null;
};

/** As WhatsApp has it: such as approved, pending, rejected or paused. */
export type TwilioApproval = {
  readonly status: string;
  readonly category: string;
  readonly reason: string;
};

export type TwilioAccount = {
  readonly name: string;
  readonly status: string;
  readonly type: string;
};

/** What is sent, by the API’s names; a list is sent as one field for each of its entries. */
export type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

type Kind = 'Calls' | 'Messages';

/** What Pager uses of the REST API. Nothing throws. */
export type TwilioClient = {
  create(kind: Kind, fields: Fields): Promise<TwilioResult<TwilioResource>>;
  fetch(kind: Kind, sid: string): Promise<TwilioResult<TwilioResource>>;
  /** The newest to a number. */
  list(kind: Kind, to: string): Promise<TwilioResult<readonly TwilioResource[]>>;
  /** Messages that people have sent, newest first. */
  received(list: Received): Promise<TwilioResult<InboundPage>>;
  /** Ends a call that waits or rings; one that is answered goes on. */
  cancel(callSid: string): Promise<TwilioResult<TwilioResource>>;
  account(): Promise<TwilioResult<TwilioAccount>>;
  content(contentSid: string): Promise<TwilioResult<TwilioContent>>;
  approval(contentSid: string): Promise<TwilioResult<TwilioApproval>>;
};

type TwilioClientOptions = {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly request: VendorHttp['request'];
  readonly accountSid: string;
  /** Of the account or of an API key. */
  readonly user: string;
  readonly password: string;
};

export const twilioUrl = 'https://api.twilio.com';

/** Content has a host of its own, also in a region. */
const contentUrlOf = (baseUrl: string): string =>
  baseUrl.replace(/^(https?:\/\/)api\./, '$1content.');

type Way = { readonly baseUrl: string; readonly http: VendorHttp };
type Account = Pick<TwilioConnection, 'settings' | 'secrets'>;

/** With the API key, if there is one. */
export function clientOf({ baseUrl, http }: Way, { settings, secrets }: Account): TwilioClient {
  const { account_sid: accountSid } = settings;
  const { auth_token, api_key_sid, api_key_secret } = secrets;
  const [user, password] =
    api_key_sid !== undefined && api_key_secret !== undefined
      ? [api_key_sid, api_key_secret]
      : [accountSid, auth_token];
  return createTwilioClient({ baseUrl, request: http.request, accountSid, user, password });
}

/** With the auth token, which an API key does not replace. */
export const tokenClientOf = (way: Way, { settings, secrets }: Account): TwilioClient =>
  clientOf(way, { settings, secrets: { auth_token: secrets.auth_token } });

type Read<Result> = (answer: unknown) => Result | undefined;

function createTwilioClient(options: TwilioClientOptions): TwilioClient {
  const { baseUrl, request, accountSid, user, password } = options;
  const account = `${baseUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`;
  const contentAt = (sid: string) =>
    `${contentUrlOf(baseUrl)}/v1/Content/${encodeURIComponent(sid)}`;
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

  async function call<Result>(
    one: Pick<VendorRequest, 'url' | 'method' | 'body' | 'signal' | 'withinMs'>,
    read: Read<Result>,
  ): Promise<TwilioResult<Result>> {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const headers = { accept: 'application/json', authorization, ...(one.body && form) };
    const answer = await request({ ...one, headers });
    if (!answer.answered) {
      const { reason, maybeExecuted } = answer;
      return { ok: false, failure: { type: 'no_answer', reason, maybeExecuted } };
    }
    return resultOf(answer, read, password);
  }

  type How = Pick<VendorRequest, 'signal' | 'withinMs'>;
  const get = <Result>(path: string, read: Read<Result>, how: How = {}) =>
    call({ url: `${account}${path}`, method: 'GET', ...how }, read);
  const post = <Result>(path: string, fields: Fields, read: Read<Result>, how: How) =>
    call({ url: `${account}${path}`, method: 'POST', body: formOf(fields), ...how }, read);
  const sending = { withinMs: sendingLimits.numberSendTime };
  const querying = { withinMs: sendingLimits.numberQueryTime };

  return {
    create: (kind, fields) => post(`/${kind}.json`, fields, resourceOf, sending),
    fetch: (kind, sid) => get(`/${kind}/${encodeURIComponent(sid)}.json`, resourceOf, querying),
    list: (kind, to) =>
      get(`/${kind}.json?${formOf({ To: to, PageSize: String(LISTED) })}`, listOf(kind), querying),
    received({ to, since, next, signal }) {
      const first = {
        To: to,
        'DateSent>': `${since}`,
        PageSize: String(sendingLimits.smsPollPage),
      };
      return get(`/Messages.json?${next ?? formOf(first)}`, receivedPageOf, signal && { signal });
    },
    cancel: (callSid) =>
      post(
        `/Calls/${encodeURIComponent(callSid)}.json`,
        { Status: 'canceled' },
        resourceOf,
        querying,
      ),
    account: () => get('.json', accountOf),
    content: (sid) => call({ url: contentAt(sid), method: 'GET' }, contentOf),
    approval: (sid) =>
      call({ url: `${contentAt(sid)}/ApprovalRequests`, method: 'GET' }, approvalOf),
  };
}

function formOf(fields: Fields): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    for (const one of typeof value === 'string' ? [value] : value) form.append(name, one);
  }
  return form.toString();
}

function resultOf<Result>(
  { status, body }: { readonly status: number; readonly body: string },
  read: Read<Result>,
  password: string,
): TwilioResult<Result> {
  const answer = parsedJson(body);
  if (status >= 200 && status < 300) {
    const result = read(answer);
    if (result !== undefined) return { ok: true, result };
  }
  const { code, message } = membersOf(answer);
  if (status < 400 || typeof message !== 'string') {
    const reason = `answered ${status} in a form that is not Twilio’s`;
    return { ok: false, failure: { type: 'no_answer', reason, maybeExecuted: true } };
  }
  return {
    ok: false,
    failure: {
      type: 'refused',
      status,
      code: typeof code === 'number' ? code : 0,
      message: fit(withoutPrivate(lineOf(message), password), MESSAGE_LENGTH_STORED),
    },
  };
}

/** Answers may repeat the number, which not everybody may see who sees the timeline. */
function withoutPrivate(message: string, password: string): string {
  const harmless = password === '' ? message : message.replaceAll(password, '…');
  return harmless.replace(/\+\d{3,}(?=\d{4})/g, '…');
}

const resourceOf: Read<TwilioResource> = (answer) => {
  const { sid, status, date_created, error_code, body } = membersOf(answer);
  if (typeof sid !== 'string' || typeof status !== 'string') return undefined;
  return {
    sid,
    status,
    createdAt: instantOf(date_created),
    errorCode: typeof error_code === 'number' ? error_code : 0,
    body: typeof body === 'string' ? body : '',
  };
};

const listOf =
  (kind: Kind): Read<readonly TwilioResource[]> =>
  (answer) => {
    const listed = membersOf(answer)[kind.toLowerCase()];
    if (!Array.isArray(listed)) return undefined;
    return listed.flatMap((one) => resourceOf(one) ?? []);
  };

const receivedPageOf: Read<InboundPage> = (answer) => {
  const { messages, next_page_uri } = membersOf(answer);
  if (!Array.isArray(messages)) return undefined;
  // Of the address that it names only the query is used.
  const next = typeof next_page_uri === 'string' ? /\?(.+)$/.exec(next_page_uri)?.[1] : undefined;
  return { messages: messages.flatMap((one) => receivedOf(one) ?? []), next: next ?? null };
};

const receivedOf: Read<InboundMessage> = (message) => {
  const { direction, from, to } = membersOf(message);
  const resource = resourceOf(message);
  if (direction !== 'inbound' || typeof from !== 'string' || typeof to !== 'string')
    return undefined;
  if (!resource?.createdAt) return undefined;
  const { sid, body, createdAt } = resource;
  return { sid, from, to, body, createdAt };
};

const accountOf: Read<TwilioAccount> = (answer) => {
  const { friendly_name, status, type } = membersOf(answer);
  if (typeof friendly_name !== 'string' || typeof status !== 'string') return undefined;
  return { name: lineOf(friendly_name), status, type: typeof type === 'string' ? type : '' };
};

const QUICK_REPLY = 'twilio/quick-reply';

const contentOf: Read<TwilioContent> = (answer) => {
  const { types } = membersOf(answer);
  const named = membersOf(types);
  const quick = named[QUICK_REPLY];
  const { body, actions } = membersOf(quick ?? named['twilio/text']);
  if (typeof types !== 'object' || types === null) return undefined;
  const words = typeof body === 'string' ? body : '';
  const variables = new Set([...words.matchAll(/\{\{(\d+)\}\}/g)].map(([, name]) => name));
  const buttons = itemsOf(actions).map((action) => {
    const { id, title } = membersOf(action);
    return String(id ?? title ?? '');
  });
  const isKnown = quick !== undefined || named['twilio/text'] !== undefined;
  return { variables: variables.size, buttons: isKnown ? buttons : null };
};

const approvalOf: Read<TwilioApproval> = (answer) => {
  const { status, category, rejection_reason } = membersOf(membersOf(answer)['whatsapp']);
  const text = (value: unknown) => (typeof value === 'string' ? lineOf(value) : '');
  return { status: text(status), category: text(category), reason: text(rejection_reason) };
};

/** As RFC 2822 writes it: `Sat, 21 Nov 2026 03:00:00 +0000`. */
function instantOf(written: unknown): Temporal.Instant | null {
  const ms = typeof written === 'string' ? Date.parse(written) : Number.NaN;
  return Number.isNaN(ms) ? null : Temporal.Instant.fromEpochMilliseconds(ms);
}
