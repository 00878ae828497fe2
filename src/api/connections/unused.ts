import { needsMailServer } from '../../resources/channels.ts';
import { channelsOf } from '../../resources/connections/vendors.ts';
import type { Serving } from './lost-channels.ts';

/** Why a connection is not used although it is enabled; null: it is. Decision 0109. */
export const reasonUnused = (
  { vendor, settings }: Pick<Serving, 'vendor' | 'settings'>,
  hasMailServer: boolean,
): string | null => reasonNotServing(channelsOf(vendor, settings), hasMailServer);

/** The same, of any connection that serves no other channels. */
export function reasonNotServing(served: readonly string[], hasMailServer: boolean): string | null {
  return hasMailServer && served.length > 0 && served.every(needsMailServer)
    ? 'The mail server in PAGER_SMTP_URL is used instead. To use this connection, remove PAGER_SMTP_URL from the settings of all servers and restart them.'
    : null;
}
