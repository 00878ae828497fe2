import type { CallbackReader, Replied } from '../../replies/callback.ts';
import type { CalledConnection, VendorWay } from '../vendor.ts';
import { clientOf } from './client.ts';
import { cloudConnectionOf } from './connection.ts';
import { textContent } from './content.ts';
import { cloudFaultOf } from './failure.ts';
import { readWhatsAppCloud } from './read.ts';

/** Everything is done before Meta is answered, for it delivers again what failed. Replies are messages. */
export const whatsAppCloudCallbacks = (way: VendorWay): CallbackReader<CalledConnection> => ({
  takesGet: true,
  read: readWhatsAppCloud,
  answer: () => ({ status: 200, contentType: 'text/plain; charset=utf-8', body: '' }),
  async respond({ inbound, reply }: Replied, connection) {
    if (reply === null || !('address' in inbound)) return null;
    const { text, link } = reply;
    const body = link === undefined ? text : `${text} ${link.href}`;
    const client = clientOf(way, cloudConnectionOf(connection));
    const sent = await client.send(inbound.address, textContent(body));
    return sent.ok ? null : cloudFaultOf(sent.failure).reason;
  },
});
