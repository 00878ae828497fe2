// Checks of the mail server, and notices to admins about built-in channels that fail.

import type { Log } from '../engine/log.ts';
import { startLoop } from '../engine/loop.ts';
import { afterCheck } from '../engine/sending/connection-health.ts';
import { noWake } from '../engine/wake.ts';
import { sendingLimits } from '../limits/sending.ts';
import { mailChannel } from '../resources/channels.ts';
import {
  claimChannelCheck,
  countFailing,
  forgetChannel,
  noteChannelHealth,
  planChannelCheck,
} from '../storage/health/channel-health.ts';
import { type NotifiedOf, notifyOfFailingChannels } from '../storage/outbox/failing-channels.ts';
import { reportChange } from './channel-answers.ts';
import type { ServerContext } from './context.ts';
import type { Engine } from './engine.ts';

type Parts = Pick<Engine, 'email' | 'metrics' | 'configurations' | 'faults' | 'committed'>;

/** The mail server is checked by each server as it starts, and every hour by one of them. */
export function startChannelHealth(
  world: ServerContext,
  parts: Parts,
  stack: AsyncDisposableStack,
): void {
  const { clock, config, log, pools } = world;
  const { email, metrics } = parts;
  const loop = (name: string, run: () => Promise<void>) =>
    stack.use(
      startLoop({
        name,
        clock,
        log,
        work: async () => 0,
        next: () => run().then(() => null),
        failed: () => metrics.loopFailed(name),
      }),
    );
  loop('failing_channels', () => notify(world, parts));
  // Nothing waits for a check: a mail server that hangs delays neither the loop nor a stop.
  let isStopped = false;
  stack.defer(() => {
    isStopped = true;
  });
  const check = (isStart: boolean) =>
    checkMail(world, { email, metrics, isStart }).catch((err: unknown) => {
      if (isStopped) return;
      metrics.loopFailed('channel_checks');
      log.error({ err }, 'the mail server could not be checked');
    });
  void check(true);
  if (config.mail.smtpUrl === null) return;
  loop('channel_checks', async () => {
    const now = clock.now();
    const until = now.add({ seconds: sendingLimits.checkLease });
    if (await claimChannelCheck(pools.housekeeping, mailChannel, { now, until })) void check(false);
  });
}

type Check = Pick<Parts, 'email' | 'metrics'> & {
  /** The settings may have changed, so the result replaces the earlier state. */
  readonly isStart: boolean;
};

async function checkMail(world: ServerContext, { email, metrics, isStart }: Check): Promise<void> {
  const { clock, config, log, pools } = world;
  const { housekeeping: sql } = pools;
  const { smtpUrl } = config.mail;
  const reason = await email.trouble();
  if (isStart && reason !== null) {
    const setting = smtpUrl === null ? 'PAGER_DATA_DIR' : 'PAGER_SMTP_URL';
    const mail_server = smtpUrl === null ? null : URL.parse(smtpUrl)?.host;
    log.warn({ mail_server, setting }, `mail cannot be sent: ${reason}`);
  }
  if (smtpUrl === null) return forgetChannel(sql, mailChannel);
  metrics.channelChecked({ channel: mailChannel, outcome: reason === null ? 'ok' : 'failing' });
  const now = clock.now();
  const of = { organizationId: null, channel: mailChannel, service: '' };
  const change = await noteChannelHealth(sql, {
    of,
    now,
    change: (health) => afterCheck(health, { reason, isByHand: isStart }, now),
  });
  if (!isStart) reportChange(log, of, change);
  const isWorking = change.after.state === 'ok';
  const minutes = isWorking ? sendingLimits.checkEvery : sendingLimits.checkFailingEvery;
  await planChannelCheck(sql, mailChannel, now.add({ minutes }));
}

async function notify(world: ServerContext, parts: Parts): Promise<void> {
  const { clock, ids, log, pools, secrets } = world;
  const { metrics, configurations, faults, committed } = parts;
  const { housekeeping: sql } = pools;
  metrics.channelsFailing(await countFailing(sql));
  const ledgerParts = { sql, ids, secrets, configurations, faults };
  const notified = await notifyOfFailingChannels(ledgerParts, clock.now());
  if (notified.some(({ isNotified }) => isNotified)) committed({ ...noWake, notices: true });
  const byService = Map.groupBy(notified, ({ channel, service }) => `${channel} ${service}`);
  for (const organizations of byService.values()) reportFailing(log, organizations);
}

/** Once a day, also where no admin can be notified. */
function reportFailing(log: Log, organizations: readonly NotifiedOf[]): void {
  const [failing] = organizations;
  if (failing === undefined) return;
  const { channel, service, reason, since } = failing;
  const notified = organizations.filter(({ isNotified }) => isNotified).length;
  log.error(
    {
      channel,
      service,
      reason,
      since: `${since}`,
      organizations_notified: notified,
      organizations_not_reached: organizations.length - notified,
    },
    'a channel has been failing for ten minutes or longer',
  );
}
