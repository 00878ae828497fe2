// The canary of this server: from its intake to the address that the operator gave.
import { createHeartbeat } from '../channels/heartbeat.ts';
import { Canary } from '../engine/canary.ts';
import type { Intake } from '../engine/intake/intake.ts';
import type { Metrics } from '../metrics.ts';
import { canaryId, createCanaryLedger } from '../storage/health/canary.ts';
import type { ServerContext } from './context.ts';

type CanaryParts = { readonly intake: Intake; readonly metrics: Metrics };

export function createCanary(world: ServerContext, { intake, metrics }: CanaryParts): Canary {
  const { config, clock, ids, log, pools, time } = world;
  const { heartbeatUrl: url } = config;
  return new Canary({
    intake,
    clock,
    machine: time.machine,
    ids,
    log,
    integration: { organizationId: canaryId, integrationId: canaryId },
    ledger: createCanaryLedger(pools.engine),
    arrived: metrics.canaryArrived,
    failed: metrics.canaryFailed,
    heartbeat: url === null ? null : createHeartbeat({ url, log, clock }),
    heartbeatFailed: metrics.heartbeatFailed,
  });
}
