import { whatsAppCloud as declaration } from '../../resources/connections/whatsapp-cloud.ts';
import type { Vendor } from '../vendor.ts';
import { whatsAppCloudCallbacks } from './callbacks.ts';
import { whatsAppCloudNumbers } from './channel.ts';
import { checkWhatsAppCloud } from './check.ts';
import { whatsAppCloudUrl } from './client.ts';
import { cloudConnectionOf } from './connection.ts';

export const whatsAppCloud: Vendor = {
  declaration,
  baseUrl: whatsAppCloudUrl,
  check: (way, connection, to) => checkWhatsAppCloud(way, cloudConnectionOf(connection), to),
  send: { whatsapp: whatsAppCloudNumbers },
  callbacks: whatsAppCloudCallbacks,
};
