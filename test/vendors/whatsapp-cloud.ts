// WhatsApp’s Cloud API on loopback, with one number, its templates, and the people who have WhatsApp. It
// refuses what Meta refuses, with its codes, and calls its customer as Meta does.
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../src/engine/clock.ts';
import { TokenBuckets } from './token-buckets.ts';
import { whatsAppCloudContract as contract } from './whatsapp-cloud-contract.ts';

type Button = { readonly text: string; readonly payload: string };

/** As the person sees it. */
export type WhatsAppMessage = {
  readonly id: string;
  /** With a plus sign. */
  readonly to: string;
  readonly type: 'text' | 'interactive' | 'template';
  readonly text: string;
  readonly buttons: readonly Button[];
  /** What its receipts carry. */
  readonly data: string | undefined;
};

export type Template = {
  readonly name: string;
  language: string;
  status: 'APPROVED' | 'PENDING' | 'REJECTED' | 'PAUSED' | 'DISABLED';
  category: 'UTILITY' | 'MARKETING';
  readonly body: string;
  readonly buttons: readonly string[];
};

/** What becomes of the next message that is sent. */
export type Misbehaviour =
  | { readonly type: 'refuse'; readonly status: number; readonly code: number }
  /** An error in an answer that says 200. */
  | { readonly type: 'refuse_with_200'; readonly code: number }
  | { readonly type: 'broken' }
  /** Never answered. */
  | { readonly type: 'hang' }
  | { readonly type: 'reset' }
  /** Taken, and the connection breaks before the answer. */
  | { readonly type: 'answer_lost' };

type Webhook = {
  readonly url: string;
  readonly appSecret: string;
};

export type Status = 'sent' | 'delivered' | 'read' | 'failed';

export type FakeWhatsAppCloud = AsyncDisposable & {
  readonly url: string;
  readonly account: {
    readonly phone_number_id: string;
    readonly business_account_id: string;
    readonly access_token: string;
    /** With a plus sign. */
    readonly number: string;
  };
  readonly templates: Template[];
  readonly messages: readonly WhatsAppMessage[];
  /** What broke the contract. */
  readonly complaints: readonly string[];
  /** The codes of what was refused. */
  readonly refused: readonly number[];
  /** Which people have no WhatsApp. */
  readonly withoutWhatsApp: Set<string>;
  misbehave(how: Misbehaviour): void;
  revokeToken(): void;
  /** Asks the address for its challenge, as Meta does when it is entered. */
  subscribe(url: string, verifyToken: string, appSecret: string): Promise<number>;
  /** The person sends a text. Resolves with the status of the customer’s answer. */
  write(from: string, text: string, how?: Sending): Promise<number>;
  /** The person presses a button of a message. */
  press(message: WhatsAppMessage, label: string, how?: Sending): Promise<number>;
  /** Reports about a message. `code`: of a failure. */
  report(message: WhatsAppMessage, status: Status, code?: number): Promise<number>;
  /** Several things in one request, in several entries and changes. */
  deliver(values: readonly (readonly object[])[]): Promise<number>;
  /** The last request once more. */
  deliverAgain(): Promise<number>;
  valueOfText(from: string, text: string, how?: Sending): object;
  valueOfStatus(message: WhatsAppMessage, status: Status, code?: number): object;
};

export type Sending = { readonly minutesAgo?: number };

const DAY_MS = 24 * 60 * 60 * 1_000;
const TOKEN = 'EAAJBfakeTokenOfASystemUser0123456789';

export const pageTemplate = (): Template => ({
  name: 'pager_page',
  language: 'en',
  status: 'APPROVED',
  category: 'UTILITY',
  body: 'Incident {{1}} needs you. Service: {{2}}. Problem: {{3}}. Acknowledge it if you take care of it.',
  buttons: ['Acknowledge', 'Resolve'],
});

const noticeTemplate = (): Template => ({
  name: 'pager_notice',
  language: 'en',
  status: 'APPROVED',
  category: 'UTILITY',
  body: 'Pager: {{1}}. {{2}}. Open Pager for details.',
  buttons: [],
});

export async function startFakeWhatsAppCloud(
  now: () => Temporal.Instant = systemClock.now,
): Promise<FakeWhatsAppCloud> {
  const account = {
    phone_number_id: '106540352242922',
    business_account_id: '102290129340398',
    access_token: TOKEN,
    number: '+15550783881',
  };
  const templates = [pageTemplate(), noticeTemplate()];
  const messages: WhatsAppMessage[] = [];
  const complaints: string[] = [];
  const refusedCodes: number[] = [];
  const withoutWhatsApp = new Set<string>();
  const misbehaviours: Misbehaviour[] = [];
  /** When each person last wrote. */
  const wroteAt = new Map<string, number>();
  // Bursts of 45 messages to a person are taken, as Meta documents.
  const pairs = new TokenBuckets({ perSecond: 1 / 6, burst: 45, now });
  const numbers = new TokenBuckets({ perSecond: 80, burst: 80, now });
  let isRevoked = false;
  let inboundIds = 0;
  let webhook: Webhook | undefined;
  let lastBody = '';
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString();
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://fake');
    if (isRevoked || request.headers.authorization !== `Bearer ${TOKEN}`)
      return refuse(response, 401, 190, 'Error validating access token');
    const [, version, id, edge, ...more] = pathname.split('/');
    if (version !== 'v23.0' || more.length > 0) return refuse(response, 400, 2500, 'Unknown path');
    if (request.method === 'GET' && id === account.phone_number_id && edge === undefined)
      return done(response, {
        id,
        display_phone_number: '+1 555-078-3881',
        verified_name: 'Acme Operations',
      });
    if (
      request.method === 'GET' &&
      id === account.business_account_id &&
      edge === 'message_templates'
    ) {
      const name = searchParams.get('name') ?? '';
      return done(response, {
        data: templates.filter((one) => one.name.includes(name)).map(listed),
      });
    }
    if (request.method !== 'POST' || edge !== 'messages')
      return refuse(response, 400, 2500, 'Unknown path');
    if (id !== account.phone_number_id) return refuse(response, 400, 33, 'Object does not exist');
    await send(request, response, body);
  }

  async function send(
    request: IncomingMessage,
    response: ServerResponse,
    body: string,
  ): Promise<void> {
    const how = misbehaviours.shift();
    if (how?.type === 'hang') return;
    if (how?.type === 'reset') return void request.socket.destroy();
    if (how?.type === 'broken') return void response.writeHead(502).end('<html>Bad Gateway</html>');
    if (how?.type === 'refuse') return refuse(response, how.status, how.code, 'Refused');
    if (how?.type === 'refuse_with_200') return refuse(response, 200, how.code, 'Refused');
    const sent = JSON.parse(body) as Sent;
    const problem = contract.messageProblem(sent);
    if (problem !== undefined) {
      complaints.push(problem);
      return refuse(response, 400, 100, `Invalid parameter: ${problem}`);
    }
    const to = `+${sent.to.replace('+', '')}`;
    if (numbers.take('') > 0) return refuse(response, 429, 130429, 'Rate limit hit');
    if (pairs.take(to) > 0) return refuse(response, 400, 131056, 'Pair rate limit hit');
    const shown = shownOf(sent);
    if ('code' in shown) return refuse(response, 400, shown.code, 'Template');
    const message = {
      id: `wamid.OUT${messages.length + 1}`,
      to,
      type: sent.type,
      data: sent.biz_opaque_callback_data,
      ...shown,
    };
    // Meta takes it, and reports afterwards that the window is closed or that the person has no WhatsApp.
    messages.push(message);
    if (how?.type === 'answer_lost') return void request.socket.destroy();
    done(response, {
      messaging_product: 'whatsapp',
      contacts: [{ input: sent.to, wa_id: to.slice(1) }],
      messages: [
        { id: message.id, ...(sent.type === 'template' && { message_status: 'accepted' }) },
      ],
    });
    if (withoutWhatsApp.has(to)) void fake.report(message, 'failed', 131026);
    else if (sent.type !== 'template' && !isOpen(to)) void fake.report(message, 'failed', 131047);
  }

  const isOpen = (to: string): boolean =>
    now().epochMilliseconds - (wroteAt.get(to) ?? Number.NEGATIVE_INFINITY) < DAY_MS;

  function shownOf(
    sent: Sent,
  ): Pick<WhatsAppMessage, 'text' | 'buttons'> | { readonly code: number } {
    if (sent.type === 'text') return { text: sent.text.body, buttons: [] };
    if (sent.type === 'interactive')
      return {
        text: sent.interactive.body.text,
        buttons: sent.interactive.action.buttons.map(({ reply }) => ({
          text: reply.title,
          payload: reply.id,
        })),
      };
    const { name, language, components } = sent.template;
    const template = templates.find(
      (one) => one.name === name && one.language === language.code && one.status !== 'REJECTED',
    );
    if (template === undefined || template.status === 'PENDING') return { code: 132001 };
    if (template.status === 'PAUSED') return { code: 132015 };
    if (template.status === 'DISABLED') return { code: 132016 };
    const variables = components.find(({ type }) => type === 'body')?.parameters ?? [];
    const payloads = components.filter(({ type }) => type === 'button');
    if (variables.length !== new Set(template.body.match(/\{\{\d+\}\}/g)).size)
      return { code: 132000 };
    if (payloads.some(({ index }) => template.buttons[Number(index)] === undefined))
      return { code: 132018 };
    const text = template.body.replace(
      /\{\{(\d+)\}\}/g,
      (_, number) => variables[Number(number) - 1]?.text ?? '',
    );
    if (text.length > 1_024) return { code: 132005 };
    // Without a payload, a button sends what stands on it.
    const buttons = template.buttons.map((label, index) => ({
      text: label,
      payload: payloads.find((one) => Number(one.index) === index)?.parameters[0]?.payload ?? label,
    }));
    return { text, buttons };
  }

  function refuse(response: ServerResponse, status: number, code: number, message: string): void {
    refusedCodes.push(code);
    const error = {
      message: `(#${code}) ${message}`,
      type: 'OAuthException',
      code,
      error_data: { messaging_product: 'whatsapp', details: message },
      fbtrace_id: 'Az8or2yhqkZfEZ',
    };
    done(response, { error }, status);
  }

  const secondsAt = (minutesAgo = 0) =>
    String(Math.floor(now().epochMilliseconds / 1_000) - minutesAgo * 60);

  const metadata = {
    display_phone_number: account.number.slice(1),
    phone_number_id: account.phone_number_id,
  };

  function valueFrom(from: string, content: object, { minutesAgo = 0 }: Sending = {}): object {
    inboundIds += 1;
    const at = now().epochMilliseconds - minutesAgo * 60_000;
    wroteAt.set(from, Math.max(at, wroteAt.get(from) ?? 0));
    const wa_id = from.slice(1);
    const id = `wamid.IN${inboundIds}`;
    return {
      messaging_product: 'whatsapp',
      metadata,
      contacts: [{ profile: { name: 'Ada' }, wa_id }],
      messages: [{ from: wa_id, id, timestamp: secondsAt(minutesAgo), ...content }],
    };
  }

  async function post(body: string): Promise<number> {
    if (webhook === undefined) return 0;
    const { url, appSecret } = webhook;
    const signature = createHmac('sha256', appSecret).update(body).digest('hex');
    const headers = {
      'content-type': 'application/json',
      'x-hub-signature-256': `sha256=${signature}`,
    };
    const answer = await fetch(url, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    return answer.status;
  }

  const fake: FakeWhatsAppCloud = {
    url: `http://127.0.0.1:${port}`,
    account,
    templates,
    messages,
    complaints,
    refused: refusedCodes,
    withoutWhatsApp,
    misbehave: (how) => void misbehaviours.push(how),
    revokeToken() {
      isRevoked = true;
    },
    async subscribe(url, verifyToken, appSecret) {
      const challenge = '1158201444';
      const query = new URLSearchParams({
        'hub.mode': 'subscribe',
        'hub.challenge': challenge,
        'hub.verify_token': verifyToken,
      });
      const answer = await fetch(`${url}?${query}`);
      if ((await answer.text()) !== challenge) return answer.status === 200 ? 0 : answer.status;
      webhook = { url, appSecret };
      return answer.status;
    },
    write: (from, text, how) => fake.deliver([[fake.valueOfText(from, text, how)]]),
    press({ to, id, type, buttons }, label, how) {
      const button = buttons.find(({ text }) => text === label);
      if (button === undefined) throw new Error(`no button ${label}`);
      const context = { from: metadata.display_phone_number, id };
      const content =
        type === 'template'
          ? { type: 'button', context, button }
          : {
              type: 'interactive',
              context,
              interactive: {
                type: 'button_reply',
                button_reply: { id: button.payload, title: button.text },
              },
            };
      return fake.deliver([[valueFrom(to, content, how)]]);
    },
    report: (message, status, code) => fake.deliver([[fake.valueOfStatus(message, status, code)]]),
    deliver(entries) {
      const sent = {
        object: 'whatsapp_business_account',
        entry: entries.map((values) => ({
          id: account.business_account_id,
          changes: values.map((value) => ({ field: 'messages', value })),
        })),
      };
      const problem = contract.webhookProblem(sent);
      if (problem !== undefined) throw new Error(problem);
      lastBody = JSON.stringify(sent);
      return post(lastBody);
    },
    deliverAgain: () => post(lastBody),
    valueOfText: (from, body, how) => valueFrom(from, { type: 'text', text: { body } }, how),
    valueOfStatus: ({ id, to, data }, status, code) => ({
      messaging_product: 'whatsapp',
      metadata,
      statuses: [
        {
          id,
          status,
          timestamp: secondsAt(),
          recipient_id: to.slice(1),
          ...(data !== undefined && { biz_opaque_callback_data: data }),
          ...(code !== undefined && {
            errors: [
              { code, title: 'Failed', message: 'Failed', error_data: { details: 'Failed' } },
            ],
          }),
        },
      ],
    }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return fake;
}

/** As the contract has it. */
type Sent = { readonly to: string; readonly biz_opaque_callback_data?: string } & (
  | { readonly type: 'text'; readonly text: { readonly body: string } }
  | {
      readonly type: 'interactive';
      readonly interactive: {
        readonly body: { readonly text: string };
        readonly action: {
          readonly buttons: readonly {
            readonly reply: { readonly id: string; readonly title: string };
          }[];
        };
      };
    }
  | {
      readonly type: 'template';
      readonly template: {
        readonly name: string;
        readonly language: { readonly code: string };
        readonly components: readonly {
          readonly type: 'body' | 'button';
          readonly index?: string;
          readonly parameters: readonly { readonly text?: string; readonly payload?: string }[];
        }[];
      };
    }
);

const listed = ({ name, language, status, category, body, buttons }: Template) => ({
  id: '564750795574598',
  name,
  language,
  status,
  category,
  components: [
    { type: 'BODY', text: body },
    ...(buttons.length > 0
      ? [{ type: 'BUTTONS', buttons: buttons.map((text) => ({ type: 'QUICK_REPLY', text })) }]
      : []),
  ],
});

const done = (response: ServerResponse, body: object, status = 200) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
