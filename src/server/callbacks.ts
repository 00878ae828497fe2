// What vendors call, and who reads it.
import type { FastifyInstance } from 'fastify';
import { createForgeries } from '../api/callbacks/forgeries.ts';
import { mountCallbacks } from '../api/callbacks/routes.ts';
import { atMostEvery } from '../api/http/at-most-every.ts';
import { limitGuesses } from '../api/http/guesses.ts';
import { receiveCallback } from '../api/receiving/callbacks.ts';
import { vendors } from '../channels/vendors.ts';
import type { CallbackReader } from '../engine/receiving/callback.ts';
import { type CalledConnection, openCalledConnection } from '../storage/connections/connections.ts';
import { connectionUse } from './connection-use.ts';
import type { ServerContext } from './context.ts';
import type { Engine } from './engine.ts';
import { receivePartsOf } from './receiving.ts';

/** Whoever forges many is named once. */
const LOGGED_EVERY_MS = 60_000;

/** By vendor. */
const readers = new Map<string, CallbackReader<CalledConnection>>(
  vendors.flatMap(({ vendor, callbacks }) => (callbacks ? [[vendor, callbacks]] : [])),
);

export function mountVendorCallbacks(
  app: FastifyInstance,
  world: ServerContext,
  engine: Pick<Engine, 'ledger' | 'committed' | 'faults' | 'metrics' | 'configurations'>,
): void {
  const { config, clock, log, pools, secrets } = world;
  const parts = receivePartsOf(world, engine);
  const opening = { sql: pools.engine, secrets };
  const mayLog = atMostEvery(LOGGED_EVERY_MS);
  mountCallbacks(app, {
    publicUrl: config.publicUrl,
    readers,
    find: limitGuesses((id) => openCalledConnection(opening, id, clock.now()), { clock }),
    async receive(received) {
      const reply = await receiveCallback(parts, received);
      const { connection, inbound } = received;
      // What the vendor took, and then refused because of the connection, such as of its sender.
      if (inbound.type === 'receipt' && inbound.receipt.blame === 'connection') {
        const { answered } = connectionUse(world, engine.metrics, connection.vendor);
        await answered(connection, { kind: 'refusal', reason: inbound.receipt.reason });
      }
      return reply;
    },
    forgeries: createForgeries(clock),
    refused({ id: connection }, reason) {
      if (mayLog()) log.warn({ connection, reason }, 'what came for a connection was refused');
    },
  });
}
