// The health of built-in channels, from the answers to notices.
import type { Log } from '../engine/log.ts';
import {
  afterChannelSend,
  type ChannelService,
  type NoteAnswer,
} from '../engine/sending/connection-health.ts';
import type { Metrics } from '../metrics.ts';
import type { HealthChange } from '../storage/connections/health.ts';
import { noteChannelHealth } from '../storage/health/channel-health.ts';
import type { ServerContext } from './context.ts';

type Noting = Pick<ServerContext, 'clock' | 'log' | 'pools'>;

/** For channels that send. A state that cannot be stored does not fail the notice. */
export function channelAnswers(
  { clock, log, pools }: Noting,
  metrics: Pick<Metrics, 'channelAnswered'>,
): NoteAnswer {
  return async (of, answer) => {
    metrics.channelAnswered({ channel: of.channel, outcome: answer.kind });
    const now = clock.now();
    try {
      const change = await noteChannelHealth(pools.engine, {
        of,
        now,
        change: (health) => afterChannelSend(health, answer, now),
      });
      reportChange(log, of, change);
    } catch (err) {
      log.error({ err, channel: of.channel }, 'the response to a channel was not recorded');
    }
  };
}

/** Logs a change of state. */
export function reportChange(log: Log, of: ChannelService, { before, after }: HealthChange) {
  if (before.state === after.state) return;
  const { organizationId: organization, channel, service } = of;
  const fields = { organization, channel, service };
  if (after.state === 'ok') log.info(fields, 'a channel works again');
  else log.warn({ ...fields, reason: after.reason }, `a channel is ${after.state}`);
}
