import { createOutbound, type Outbound } from '../channels/outbound.ts';
import type { Config } from '../config.ts';
import type { Clock } from '../engine/clock.ts';
import type { Log } from '../engine/log.ts';

type Parts = {
  readonly config: Pick<Config, 'allowNetworks'>;
  readonly log: Log;
  readonly clock: Clock;
};

/** For the whole process: its channels share the slots for looking up names, and the names found. */
export const openOutbound = ({ config: { allowNetworks }, log, clock }: Parts): Outbound =>
  createOutbound({ allowNetworks, log, clock });
