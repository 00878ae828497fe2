import { needsMailServer } from '../../resources/channels.ts';
import { channelsOf } from '../../resources/connections/vendors.ts';
import type { Serving } from './lost-channels.ts';

/** Why a connection is not used although it is enabled; null: it is. Decision 0109. */
export function reasonUnused(
  { vendor, settings }: Pick<Serving, 'vendor' | 'settings'>,
  hasMailServer: boolean,
): string | null {
  const served = channelsOf(vendor, settings);
  return hasMailServer && served.length > 0 && served.every(needsMailServer)
    ? 'The mail server in PAGER_SMTP_URL is used instead. To use this connection, remove PAGER_SMTP_URL from the settings of all servers and restart them.'
    : null;
}
