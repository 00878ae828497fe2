// How Pager hears from the vendor of a connection, and where that calls it.
import { isNumberChannel } from '../../resources/channels.ts';
import type { InboundMode } from '../../resources/connections/vendor.ts';
import { vendorNamed } from '../../resources/connections/vendors.ts';
import type { Connection } from '../../storage/connections/connections.ts';

/** Where a vendor calls Pager; null: it cannot. */
export type CallbackUrlOf = (vendor: string) => string | null;

export function inboundModeOf(
  { id, vendor, channels }: Pick<Connection, 'id' | 'vendor' | 'channels'>,
  callbackUrlOf: CallbackUrlOf,
) {
  const receive: InboundMode = vendorNamed(vendor)?.receive ?? 'nothing';
  if (receive !== 'callbacks') return { receive, callback_urls: [] };
  const url = callbackUrlOf(vendor);
  if (url === null) return { receive: 'poll' as const, callback_urls: [] };
  const callback_urls = channels
    .filter(isNumberChannel)
    .map((channel) => ({ channel, url: `${url}/callbacks/${channel}/${id}` }));
  return { receive, callback_urls };
}
