import type { ConnectionCheck, ConnectionParts } from '../api/connections/routes.ts';
import * as slack from '../channels/slack/channel.ts';
import { checkSlack } from '../channels/slack/check.ts';
import { clientOf } from '../channels/telegram/channel.ts';
import { checkTelegram } from '../channels/telegram/check.ts';
import { checkTwilio } from '../channels/twilio/check.ts';
import { twilioConnectionOf } from '../channels/twilio/connection.ts';
import { noteCheck } from '../storage/connections/health.ts';
import { slackApi, telegramApi, twilioApi } from './channels.ts';
import type { ServerContext } from './context.ts';

type Check = (
  ...call: Parameters<ConnectionParts['checkConnection']>
) => Promise<{ readonly checks: readonly ConnectionCheck[]; readonly account: string | null }>;

/** Calls the vendor of a connection, and notes how it answered. */
export function connectionCheck({
  config,
  clock,
  pools,
}: ServerContext): ConnectionParts['checkConnection'] {
  const telegram = telegramApi(config);
  const twilio = twilioApi(config);
  const byVendor: Readonly<Record<string, Check>> = {
    telegram: (connection, to) =>
      checkTelegram(clientOf(telegram, connection), to?.address ?? null),
    slack: (connection) => checkSlack(slack.clientOf(slackApi(config), connection)),
    twilio: (connection, to) => checkTwilio(twilio, twilioConnectionOf(connection), to),
  };
  return async (connection, to) => {
    const check = byVendor[connection.vendor];
    if (check === undefined) return [];
    const { checks, account } = await check(connection, to);
    // That a message or a call does not arrive says nothing of the account.
    const wrong = checks.find(({ name, ok }) => !['message', 'call'].includes(name) && !ok);
    await noteCheck(pools.api, {
      ...{ organizationId: connection.organization_id, connectionId: connection.id },
      ...{ now: clock.now(), ...(account !== null && { account }) },
      ...{ reason: wrong?.message ?? (account === null ? '' : null), isByHand: true },
    });
    return checks;
  };
}
