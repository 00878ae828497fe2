import type { ConnectionParts } from '../api/connections/routes.ts';
import { clientOf } from '../channels/telegram/channel.ts';
import { checkTelegram } from '../channels/telegram/check.ts';
import { createVendorHttp } from '../channels/vendor-http.ts';
import { noteHealth } from '../storage/connections/connections.ts';
import { vendorUrl } from './channels.ts';
import type { ServerContext } from './context.ts';

/** Calls the vendor of a connection, and notes how it answered. */
export function connectionCheck({
  config,
  clock,
  pools,
}: ServerContext): ConnectionParts['checkConnection'] {
  const telegram = { baseUrl: vendorUrl(config, 'telegram'), http: createVendorHttp() };
  return async (connection, address) => {
    const { checks, account } = await checkTelegram(clientOf(telegram, connection), address);
    await noteHealth(pools.api, {
      ...{ organizationId: connection.organization_id, connectionId: connection.id },
      ...{ now: clock.now(), ...(account !== null && { account }) },
      reason: account === null ? (checks[0]?.message ?? '') : null,
    });
    return checks;
  };
}
