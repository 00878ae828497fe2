// Which of an organisation's connections are used first, by what their vendor answered lately.
import type { InTurn } from '../channels/vendor-fault.ts';
import { orderOf, probing } from '../engine/sending/circuit.ts';
import { afterSend } from '../engine/sending/connection-health.ts';
import { sendingLimits } from '../limits/sending.ts';
import type { Metrics } from '../metrics.ts';
import {
  claimProbe,
  type HealthChange,
  noteHealth,
  readCircuits,
} from '../storage/connections/health.ts';
import type { ServerContext } from './context.ts';

type Used = { readonly organization_id: string; readonly id: string };

export function connectionUse(
  { clock, log, pools }: Pick<ServerContext, 'clock' | 'log' | 'pools'>,
  metrics: Pick<Metrics, 'vendorAnswered' | 'circuitChanged'>,
  vendor: string,
): InTurn<Used> {
  const { engine: sql } = pools;

  function reportChange({ id: connection }: Used, { before, after }: HealthChange) {
    const { openUntil } = after.circuit;
    if (`${openUntil}` === `${before.circuit.openUntil}`) return;
    const to = openUntil === null ? 'closed' : 'open';
    metrics.circuitChanged({ vendor, to });
    if (openUntil === null) {
      log.info({ connection, vendor }, 'a connection is used in its normal order again');
      return;
    }
    const { reason } = after;
    log.warn(
      { connection, vendor, reason, until: `${openUntil}` },
      'a vendor fails: other connections are used first',
    );
  }

  return {
    async inTurn(connections) {
      const [first] = connections;
      if (first === undefined || connections.length === 1) return connections;
      const organizationId = first.organization_id;
      const ids = connections.map(({ id }) => id);
      const circuitOf = await readCircuits(sql, organizationId, ids);
      const now = clock.now();
      const { order, probe } = orderOf(
        connections.map((connection) => ({
          connection,
          id: connection.id,
          circuit: circuitOf(connection.id),
        })),
        now,
      );
      const isProbing =
        probe !== null &&
        (await claimProbe(sql, {
          organizationId,
          connectionId: probe.id,
          now,
          until: now.add({ seconds: sendingLimits.circuitProbe }),
        }));
      return (isProbing ? probing(order, probe) : order).map(({ connection }) => connection);
    },

    async answered(connection, answer) {
      metrics.vendorAnswered({ vendor, outcome: answer.kind });
      const now = clock.now();
      try {
        const change = await noteHealth(sql, {
          organizationId: connection.organization_id,
          connectionId: connection.id,
          now,
          change: (health) => afterSend(health, answer, now),
        });
        reportChange(connection, change);
      } catch (error) {
        // What was sent is sent: it must not be sent again because this could not be stored.
        log.error(
          { err: error, connection: connection.id },
          'a response of a vendor was not recorded',
        );
      }
    },
  };
}
