// What vendors call, and who reads it.
import type { FastifyInstance } from 'fastify';
import { mountCallbacks } from '../api/connections/callbacks.ts';
import { createForgeries } from '../api/connections/forgeries.ts';
import { limitGuesses } from '../api/http/guesses.ts';
import { atMostEvery } from '../api/http/rate-limit.ts';
import { vendors } from '../channels/vendors.ts';
import type { CallbackReader } from '../replies/callback.ts';
import { handleInbound } from '../replies/handle-inbound.ts';
import {
  type CalledConnection,
  openCalledConnection,
} from '../storage/connections/open-connections.ts';
import { vendorWay } from './channels.ts';
import { connectionUse } from './connection-use.ts';
import type { ServerContext } from './context.ts';
import type { Engine } from './engine.ts';
import { inboundPartsOf } from './inbound-parts.ts';

/** Whoever forges many is named once. */
const LOGGED_EVERY_MS = 60_000;

export function mountVendorCallbacks(
  app: FastifyInstance,
  world: ServerContext,
  engine: Pick<Engine, 'ledger' | 'committed' | 'faults' | 'metrics' | 'configurations'>,
): void {
  const { config, clock, log, pools, secrets } = world;
  const parts = inboundPartsOf(world, engine);
  const opening = { sql: pools.engine, secrets };
  const mayLog = atMostEvery(LOGGED_EVERY_MS);
  mountCallbacks(app, {
    publicUrl: config.publicUrl,
    readers: readersIn(world),
    find: limitGuesses((id) => openCalledConnection(opening, id, clock.now()), { clock }),
    async receive(received) {
      const { connection, channel, inbound } = received;
      const { organization_id: organizationId } = connection;
      const reply = await handleInbound(parts, { organizationId, channel, connection }, inbound);
      // What the vendor took, and then refused because of the connection, such as of its sender.
      if (inbound.type === 'receipt' && inbound.receipt.blame === 'connection') {
        const { answered } = connectionUse(world, engine.metrics, connection.vendor);
        await answered(connection, { kind: 'refusal', reason: inbound.receipt.reason });
      }
      return reply;
    },
    failed({ id: connection }, err) {
      log.error({ err, connection }, 'a request from a vendor could not be handled');
    },
    forgeries: createForgeries(clock),
    refused({ id: connection }, reason) {
      if (mayLog()) log.warn({ connection, reason }, 'a request for a connection was refused');
    },
  });
}

/** By vendor. */
const readersIn = (world: ServerContext): ReadonlyMap<string, CallbackReader<CalledConnection>> =>
  new Map(
    vendors.flatMap((one) =>
      one.callbacks
        ? [
            [
              one.declaration.vendor,
              one.callbacks({ ...vendorWay(world, one), clock: world.clock }),
            ],
          ]
        : [],
    ),
  );
