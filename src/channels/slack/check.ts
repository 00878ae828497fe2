import type { Checked, CheckResult } from '../vendor.ts';
import type { SlackClient } from './client.ts';
import { slackFaultOf } from './failure.ts';

/** Whether both tokens are right. */
export async function checkSlack(client: SlackClient): Promise<Checked> {
  const identity = await client.authTest();
  if (!identity.ok) {
    const message = slackFaultOf(identity.failure).reason;
    return { checks: [{ name: 'credentials', ok: false, message }], account: null };
  }
  const { team } = identity.result;
  const checks = [
    { name: 'credentials', ok: true, message: `The app answers in the workspace ${team}.` },
    await socketCheck(client),
  ];
  return { checks, account: team };
}

async function socketCheck(client: SlackClient): Promise<CheckResult> {
  const socket = await client.openSocket();
  const message = socket.ok
    ? 'Slack sends people’s actions over a socket.'
    : slackFaultOf(socket.failure, 'app_token').reason;
  return { name: 'socket', ok: socket.ok, message };
}
