// What the vendors do whose connections an organisation can have: one is added here, and in the list of
// their declarations (src/resources/connections/vendors.ts).
import type { Clock } from '../engine/clock.ts';
import type { CallbackReader } from '../engine/receiving/callback.ts';
import { ntfyUrl } from '../resources/connections/ntfy.ts';
import type { NumberChannelName, NumberConnection, NumberVendor } from './by-number.ts';
import type { Outbound } from './outbound.ts';
import { callbackUrlOf } from './public-address.ts';
import { checkNtfy } from './push/ntfy.ts';
import { clientOf as slackClientOf } from './slack/channel.ts';
import { checkSlack } from './slack/check.ts';
import { slackUrl } from './slack/client.ts';
import { clientOf as telegramClientOf, telegramUrl } from './telegram/channel.ts';
import { checkTelegram } from './telegram/check.ts';
import { type TwilioOptions, twilioCalls, twilioSms } from './twilio/channel.ts';
import { checkTwilio } from './twilio/check.ts';
import { twilioUrl } from './twilio/client.ts';
import { twilioConnectionOf } from './twilio/connection.ts';
import { twilioCallbacks } from './twilio/read.ts';
import type { VendorHttp } from './vendor-http.ts';

export type Check = { readonly name: string; readonly ok: boolean; readonly message: string };

/** The way to a vendor, and back. */
export type VendorWay = {
  readonly baseUrl: string;
  readonly http: VendorHttp;
  /** To servers that people choose. */
  readonly outbound: Outbound;
  /** Where the vendor can call Pager; null: nowhere. */
  readonly callbackUrl: string | null;
};

/** What sending to numbers needs beside it. */
export type NumberParts = VendorWay & {
  readonly clock: Clock;
} & Pick<TwilioOptions, 'turn' | 'hold' | 'takenByOthers'>;

export type ChannelVendor = {
  readonly vendor: string;
  /** Its own address, which PAGER_VENDOR_URLS replaces. */
  readonly baseUrl: string;
  /**
   * Calls it with the credentials of a connection, and sends a message to the contact, if there is one.
   * `account`: as people recognise it; null: it is not as it should be.
   */
  readonly check: (
    way: VendorWay,
    connection: NumberConnection,
    to: { readonly channel: string; readonly address: string } | null,
  ) => Promise<{ readonly checks: readonly Check[]; readonly account: string | null }>;
  /** How it calls people and sends them SMS. */
  readonly numbers?: Readonly<
    Partial<Record<NumberChannelName, (parts: NumberParts) => NumberVendor>>
  >;
  /** Who reads what it sends to the addresses that it is given. */
  readonly callbacks?: CallbackReader<CalledConnection>;
};

/** With the secrets that were replaced a short time ago. */
type CalledConnection = NumberConnection & {
  readonly replacedSecrets: Readonly<Record<string, string>>;
};

export const vendors: readonly ChannelVendor[] = [
  {
    vendor: 'telegram',
    baseUrl: telegramUrl,
    check: (way, connection, to) =>
      checkTelegram(telegramClientOf(way, connection), to?.address ?? null),
  },
  {
    vendor: 'slack',
    baseUrl: slackUrl,
    check: (way, connection) => checkSlack(slackClientOf(way, connection)),
  },
  {
    vendor: 'twilio',
    baseUrl: twilioUrl,
    callbacks: twilioCallbacks,
    check: (way, connection, to) => checkTwilio(way, twilioConnectionOf(connection), to),
    numbers: { phone: twilioCalls, sms: twilioSms },
  },
  { vendor: 'ntfy', baseUrl: ntfyUrl, check: checkNtfy },
];

type Addresses = {
  readonly vendorUrls: Readonly<Record<string, string>>;
  readonly publicUrl: string;
};

/** The operator may have set another address for it. */
export function wayTo(
  { vendor, baseUrl }: Pick<ChannelVendor, 'vendor' | 'baseUrl'>,
  { vendorUrls, publicUrl }: Addresses,
  means: Pick<VendorWay, 'http' | 'outbound'>,
): VendorWay {
  const own = vendorUrls[vendor];
  const callbackUrl = callbackUrlOf(publicUrl, own !== undefined);
  return { ...means, baseUrl: own ?? baseUrl, callbackUrl };
}
