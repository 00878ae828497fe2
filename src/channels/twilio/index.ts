import { twilio as declaration } from '../../resources/connections/twilio.ts';
import type { Vendor } from '../vendor.ts';
import { twilioCalls, twilioSms, twilioWhatsApp } from './channel.ts';
import { checkTwilio } from './check.ts';
import { twilioUrl } from './client.ts';
import { twilioConnectionOf } from './connection.ts';
import { listenOnTwilio } from './listen.ts';
import { twilioCallbacks } from './read.ts';

export const twilio: Vendor = {
  declaration,
  baseUrl: twilioUrl,
  check: (way, connection, to) => checkTwilio(way, twilioConnectionOf(connection), to),
  send: { phone: twilioCalls, sms: twilioSms, whatsapp: twilioWhatsApp },
  callbacks: () => twilioCallbacks,
  listen: listenOnTwilio,
};
