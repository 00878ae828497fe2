import { phrasesIn } from '../../notices/words/phrases.ts';
import { reasonAgainstNumber } from '../../resources/phone-prefixes.ts';
import type { Checked, CheckResult } from '../vendor.ts';
import { clientOf, tokenClientOf } from './client.ts';
import { senderOf, type TwilioConnection } from './connection.ts';
import { twilioFaultOf } from './failure.ts';
import { goodbyeResponse } from './twiml.ts';

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
  const test = to === null || key?.ok === false ? null : await sendCheck(way, connection, to);
  return {
    checks: [credentials, ...(key === null ? [] : [key]), ...(test === null ? [] : [test])],
    account: key?.ok === false ? null : name,
  };
}

type Connection = Parameters<typeof checkTwilio>[1];

async function keyCheck(way: Way, connection: Connection): Promise<CheckResult | null> {
  if (connection.secrets.api_key_sid === undefined) return null;
  const { from_phone, from_sms } = connection.settings;
  // Any number that is known: only whether the list is answered counts.
  const listed = await clientOf(way, connection).list('Calls', from_phone ?? from_sms ?? '');
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
  const { locale, spoken, short } = phrasesIn('en');
  const isCall = channel === 'phone';
  const name = isCall ? 'call' : 'message';
  const sender = senderOf(connection, isCall ? 'phone' : 'sms');
  if (sender === null) {
    const setting = isCall ? 'from_phone' : 'from_sms or messaging_service_sid';
    return { name, ok: false, message: `The connection has no ${setting}.` };
  }
  const against = reasonAgainstNumber(address, connection.settings.allowed_prefixes);
  if (against !== null) return { name, ok: false, message: `The number ${against}.` };
  const client = clientOf(way, connection);
  const Twiml = goodbyeResponse(locale, [spoken.test, spoken.goodbye]);
  const sent = await (isCall
    ? client.create('Calls', { To: address, ...sender, Twiml })
    : client.create('Messages', { To: address, ...sender, Body: short.test }));
  const taken = isCall
    ? 'Twilio is calling the number.'
    : 'Twilio accepted a message to the number.';
  return { name, ok: sent.ok, message: sent.ok ? taken : twilioFaultOf(sent.failure).reason };
}
