import { callbackAddress } from '../../replies/callback.ts';
import type { Checked } from '../vendor.ts';
import { credentialsOf, type TeamsConnection, type TeamsWay } from './channel.ts';
import { teamsFaultOf } from './failure.ts';
import { tokenOf } from './token.ts';

/** Whether Microsoft issues a token, and whether Teams can call Pager. */
export async function checkTeams(
  way: TeamsWay & { readonly callbackUrl: string | null },
  connection: TeamsConnection,
): Promise<Checked> {
  const credentials = credentialsOf(connection);
  const token = await tokenOf(way, credentials, { isAnew: true });
  if ('failure' in token) {
    const message = teamsFaultOf(token.failure).reason;
    return { checks: [{ name: 'credentials', ok: false, message }], account: null };
  }
  const { callbackUrl } = way;
  const isReachable = callbackUrl !== null;
  const checks = [
    { name: 'credentials', ok: true, message: 'Microsoft accepts the app ID and the secret.' },
    {
      name: 'messaging endpoint',
      ok: isReachable,
      message: isReachable
        ? `The messaging endpoint of the bot must be ${callbackAddress(callbackUrl, 'msteams', connection.id)}`
        : 'Teams cannot call Pager: PAGER_PUBLIC_URL is not a public https address. Posts arrive, but buttons and commands do nothing.',
    },
  ];
  return { checks, account: `bot ${credentials.appId}` };
}
