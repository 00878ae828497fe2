// How Pager hears from the vendor of a connection, and where that calls it.
import { callbackAddress } from '../../replies/callback.ts';
import { vendorNamed } from '../../resources/connections/vendors.ts';
import type { Connection } from '../../storage/connections/connections.ts';

/** Where a vendor calls Pager; null: it cannot. */
export type CallbackUrlOf = (vendor: string) => string | null;

export function inboundModeOf(
  { id, vendor, channels }: Pick<Connection, 'id' | 'vendor' | 'channels'>,
  callbackUrlOf: CallbackUrlOf,
) {
  const { receive = 'nothing', withoutCallbacks = 'nothing' } = vendorNamed(vendor) ?? {};
  if (receive !== 'callbacks') return { receive, callback_urls: [] };
  const url = callbackUrlOf(vendor);
  if (url === null) return { receive: withoutCallbacks, callback_urls: [] };
  const callback_urls = channels.map((channel) => ({
    channel,
    url: callbackAddress(url, channel, id),
  }));
  return { receive, callback_urls };
}
