import { phrasesIn } from '../../notices/words/phrases.ts';
import { reasonAgainstNumber } from '../../resources/phone-prefixes.ts';
import type { Checked, CheckResult } from '../vendor.ts';
import { contentChecks } from './check-content.ts';
import { clientOf, type Fields, tokenClientOf } from './client.ts';
import {
  senderOf,
  type TwilioChannelName,
  type TwilioConnection,
  toWhatsApp,
} from './connection.ts';
import { twilioFaultOf } from './failure.ts';
import { goodbyeResponse } from './twiml.ts';
import { contentOf } from './whatsapp.ts';

type Way = Parameters<typeof clientOf>[0];
/**
 * Whether the credentials are right; with an address, whether Twilio takes a call or a message to it.
 * An API key may not read the account, so the auth token is checked, and the key beside it.
 */
export async function checkTwilio(
  way: Way,
  connection: Pick<TwilioConnection, 'settings' | 'secrets'>,
  to: { readonly channel: string; readonly address: string } | null,
): Promise<Checked> {
  const account = await tokenClientOf(way, connection).account();
  if (!account.ok) {
    const message = twilioFaultOf(account.failure).reason;
    return { checks: [{ name: 'credentials', ok: false, message }], account: null };
  }
  const { name, status, type } = account.result;
  if (status !== 'active') {
    const message = `The account “${name}” is ${status}: see the Twilio console.`;
    return { checks: [{ name: 'credentials', ok: false, message }], account: null };
  }
  const trial =
    type === 'Trial'
      ? ' This is a trial account. It reaches only numbers that are verified in the Twilio console.'
      : '';
  const credentials = {
    name: 'credentials',
    ok: true,
    message: `The account “${name}” answers.${trial}`,
  };
  const key = await keyCheck(way, connection);
  const contents = await contentChecks(tokenClientOf(way, connection), connection);
  const isUsable = [key, ...contents].every((one) => one?.ok !== false);
  const test = to === null || !isUsable ? null : await sendCheck(way, connection, to);
  return {
    checks: [
      credentials,
      ...(key === null ? [] : [key]),
      ...contents,
      ...(test === null ? [] : [test]),
    ],
    account: isUsable ? name : null,
  };
}

type Connection = Parameters<typeof checkTwilio>[1];

async function keyCheck(way: Way, connection: Connection): Promise<CheckResult | null> {
  if (connection.secrets.api_key_sid === undefined) return null;
  const { from_phone, from_sms, from_whatsapp } = connection.settings;
  // Any number that is known: only whether the list is answered counts.
  const listed = await clientOf(way, connection).list(
    'Calls',
    from_phone ?? from_sms ?? from_whatsapp ?? '',
  );
  return {
    name: 'api_key',
    ok: listed.ok,
    message: listed.ok ? 'The API key is accepted.' : twilioFaultOf(listed.failure).reason,
  };
}

async function sendCheck(
  way: Way,
  connection: Connection,
  { channel, address }: NonNullable<Parameters<typeof checkTwilio>[2]>,
): Promise<CheckResult> {
  const by = isTwilioChannel(channel) ? channel : 'sms';
  const { name, setting, taken } = sent[by];
  const sender = senderOf(connection, by);
  if (sender === null) return { name, ok: false, message: `The connection has no ${setting}.` };
  const against = reasonAgainstNumber(address, connection.settings.allowed_prefixes);
  if (against !== null) return { name, ok: false, message: `The number ${against}.` };
  const client = clientOf(way, connection);
  const created = await client.create(by === 'phone' ? 'Calls' : 'Messages', {
    ...sender,
    ...testOf(connection, by, address),
  });
  return {
    name,
    ok: created.ok,
    message: created.ok ? taken : twilioFaultOf(created.failure).reason,
  };
}

function testOf({ settings }: Connection, by: TwilioChannelName, address: string): Fields {
  const { locale, spoken, short } = phrasesIn('en');
  if (by === 'phone')
    return { To: address, Twiml: goodbyeResponse(locale, [spoken.test, spoken.goodbye]) };
  if (by === 'sms' || settings.content_sid === undefined) return { To: address, Body: short.test };
  const variables = ['TEST', 'Pager', 'This is a test message. Pages arrive here like this.'];
  return { To: toWhatsApp(address), ...contentOf(settings.content_sid, variables) };
}

const sent = {
  phone: { name: 'call', setting: 'from_phone', taken: 'Twilio is calling the number.' },
  sms: {
    name: 'message',
    setting: 'from_sms or messaging_service_sid',
    taken: 'Twilio accepted a message to the number.',
  },
  whatsapp: {
    name: 'message',
    setting: 'from_whatsapp',
    taken: 'Twilio accepted a WhatsApp message to the number.',
  },
} as const;

const isTwilioChannel = (channel: string): channel is TwilioChannelName =>
  Object.hasOwn(sent, channel);
