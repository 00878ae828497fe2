import type { TwilioSettings } from '../../resources/connections/twilio.ts';

/** A connection as storage opens it. */
export type OpenAccount = {
  readonly organization_id: string;
  readonly id: string;
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
};

/** A Twilio account, as a connection has it. */
export type TwilioConnection = Omit<OpenAccount, 'settings' | 'secrets'> & {
  readonly settings: TwilioSettings;
  readonly secrets: {
    readonly auth_token: string;
    readonly api_key_sid?: string;
    readonly api_key_secret?: string;
  };
};

/** Storage has read the settings and the secrets by their declaration. */
export const twilioConnectionOf = (open: OpenAccount): TwilioConnection => open as TwilioConnection;

export type TwilioChannelName = 'phone' | 'sms' | 'whatsapp';

/** What calls or messages of the account come from, as Twilio’s fields name it. */
export type Sender =
  | { readonly From: string; readonly MessagingServiceSid?: never }
  | { readonly MessagingServiceSid: string; readonly From?: never };

/** Null: the account serves no such channel. */
export function senderOf(
  { settings }: Pick<TwilioConnection, 'settings'>,
  channel: TwilioChannelName,
): Sender | null {
  const { from_phone, from_sms, messaging_service_sid, from_whatsapp } = settings;
  if (channel === 'phone') return from_phone === undefined ? null : { From: from_phone };
  if (channel === 'whatsapp')
    return from_whatsapp === undefined ? null : { From: toWhatsApp(from_whatsapp) };
  if (messaging_service_sid !== undefined) return { MessagingServiceSid: messaging_service_sid };
  return from_sms === undefined ? null : { From: from_sms };
}

/** A name instead of a number receives no answer. */
export const canReceive = ({ From }: Sender): boolean =>
  From === undefined || /^(?:whatsapp:)?\+?\d+$/.test(From);

/** The number whose messages can be listed, which a messaging service does not name; null: none. */
export const listedNumberOf = (sender: Sender | null): string | null =>
  sender?.From !== undefined && canReceive(sender) ? sender.From : null;

const WHATSAPP = 'whatsapp:';

/** A number as Twilio has it in WhatsApp. */
export const toWhatsApp = (number: string): string => WHATSAPP + number;

/** A number as contacts have it, and by which of both channels Twilio has it. */
export const fromTwilio = (address: string): { channel: 'sms' | 'whatsapp'; address: string } =>
  address.startsWith(WHATSAPP)
    ? { channel: 'whatsapp', address: address.slice(WHATSAPP.length) }
    : { channel: 'sms', address };
