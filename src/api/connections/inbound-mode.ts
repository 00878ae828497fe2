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

export type ServerAddress = {
  readonly publicUrl: string;
  /** Whether the internet can reach it, as far as the address shows. */
  readonly isPublic: boolean;
  readonly callbackUrlOf: CallbackUrlOf;
};

/** What somebody loses because the vendor cannot call this server; null: nothing. */
export function callbackWarningOf(
  vendor: string,
  { publicUrl, isPublic, callbackUrlOf }: ServerAddress,
): string | null {
  const { title, receive, lostWithoutCallbacks: lost } = vendorNamed(vendor) ?? {};
  if (isPublic || receive !== 'callbacks' || lost === undefined) return null;
  const address = `${publicUrl} is not a public https address`;
  return callbackUrlOf(vendor) === null
    ? `${title} cannot call Pager, because ${address}. ${lost} Set PAGER_PUBLIC_URL to a public https address.`
    : // An address in PAGER_VENDOR_URLS may be in the same network.
      `${title} can call Pager only from the network of this server, because ${address}. From elsewhere, set PAGER_PUBLIC_URL to a public https address.`;
}
