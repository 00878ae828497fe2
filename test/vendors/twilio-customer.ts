// What Twilio calls: the callbacks of the channels, without a server around them.
import type { TwilioConnection } from '../../src/channels/twilio/connection.ts';
import { twilioCallbacks } from '../../src/channels/twilio/read.ts';
import type { Inbound, Reply } from '../../src/replies/inbound.ts';
import { startWebhookServer, type WebhookServer } from '../webhook-server.ts';
import type { FakeTwilio } from './twilio.ts';

export type TwilioCustomer = AsyncDisposable & {
  readonly url: string;
  readonly inbound: readonly Inbound[];
  /** Why something was refused. */
  readonly refusals: readonly string[];
};

/** `reply` answers what people do. */
export async function startTwilioCustomer(
  connection: TwilioConnection,
  reply: (inbound: Inbound) => Reply = () => null,
): Promise<TwilioCustomer> {
  const inbound: Inbound[] = [];
  const refusals: string[] = [];
  const server: WebhookServer = await startWebhookServer((_, response) => {
    const { path = '', headers = {}, body = '' } = server.received.at(-1) ?? {};
    const channel = path.split('/')[2] ?? '';
    const url = `${server.url}${path}`;
    const request = { method: 'POST', channel, url, headers, body: Buffer.from(body) } as const;
    const called = { ...connection, replacedSecrets: {} };
    const read = twilioCallbacks.read(request, called);
    if ('refused' in read) {
      refusals.push(read.refused);
      response.statusCode = 401;
      response.end();
      return;
    }
    const inbounds = 'inbounds' in read ? read.inbounds : [];
    inbound.push(...inbounds);
    const replied = inbounds.map((one) => ({ inbound: one, reply: reply(one) }));
    const channelRead = 'channel' in read ? read.channel : undefined;
    const answer = twilioCallbacks.answer(replied, { ...request, channel: channelRead ?? channel });
    response.statusCode = answer.status;
    response.setHeader('content-type', answer.contentType);
    response.end(answer.body);
  });
  return {
    url: server.url,
    inbound,
    refusals,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The account of the fake as a connection. */
export const twilioConnection = (
  { account, authToken, number }: FakeTwilio,
  settings: Partial<TwilioConnection['settings']> = {},
  more: Partial<TwilioConnection> = {},
): TwilioConnection & { readonly vendor: string } => ({
  organization_id: '65f000000000000000000001',
  id: 'c1',
  name: 'Twilio',
  vendor: 'twilio',
  settings: {
    account_sid: account.sid,
    from_phone: number,
    from_sms: number,
    allowed_prefixes: ['+49'],
    calls_per_second: 1,
    messages_per_second: 3,
    sms_actions: 'all',
    ...settings,
  },
  secrets: { auth_token: authToken },
  ...more,
});
