import type { ConnectionParts } from '../api/connections/routes.ts';
import { reasonUnused } from '../api/connections/unused.ts';
import { vendors } from '../channels/vendors.ts';
import { Checker, type DueCheck } from '../engine/checking/checker.ts';
import { startLoop } from '../engine/loop.ts';
import { noWake } from '../engine/wake.ts';
import { claimChecks, putOffCheck } from '../storage/connections/checks.ts';
import { type ConnectionKey, forgetHealth, noteCheck } from '../storage/connections/health.ts';
import { type OpenConnection, openConnection } from '../storage/connections/open-connections.ts';
import { notifyOfFailingConnection } from '../storage/outbox/failing-connections.ts';
import { vendorWay } from './channels.ts';
import type { ServerContext } from './context.ts';
import type { Engine } from './engine.ts';

/** Calls the vendor of a connection; what it answered, and why it is not as it should be. */
function vendorCheck(world: ServerContext) {
  const byVendor = new Map(
    vendors.map((one) => [one.declaration.vendor, { ...one, way: vendorWay(world, one) }]),
  );
  return async (...[connection, to]: Parameters<ConnectionParts['checkConnection']>) => {
    const vendor = byVendor.get(connection.vendor);
    if (vendor === undefined) return null;
    const { checks, account } = await vendor.check(vendor.way, connection, to);
    // That a message or a call does not arrive says nothing of the account.
    const wrong = checks.find(({ name, ok }) => !['message', 'call'].includes(name) && !ok);
    return {
      checks,
      reason: wrong?.message ?? (account === null ? '' : null),
      ...(account !== null && { account }),
    };
  };
}

const isUnused = ({ config }: ServerContext, connection: OpenConnection): boolean =>
  reasonUnused(connection, config.mail.smtpUrl !== null) !== null;

/** Somebody wants to know how the vendor answers now. */
export function connectionCheck(world: ServerContext): ConnectionParts['checkConnection'] {
  const { clock, pools } = world;
  const checkVendor = vendorCheck(world);
  return async (connection, to) => {
    const checked = await checkVendor(connection, to);
    if (checked === null) return [];
    const { checks, ...note } = checked;
    // One that is not used warns nobody of what is wrong with it.
    if (isUnused(world, connection)) return checks;
    await noteCheck(pools.api, {
      organizationId: connection.organization_id,
      connectionId: connection.id,
      now: clock.now(),
      isByHand: true,
      ...note,
    });
    return checks;
  };
}

type Parts = Pick<Engine, 'metrics' | 'configurations' | 'faults' | 'committed'>;

/** The same every hour; never changes the connection itself. */
export function startConnectionChecks(
  world: ServerContext,
  { metrics, configurations, faults, committed }: Parts,
  stack: AsyncDisposableStack,
): void {
  const { clock, log, pools, secrets } = world;
  const { housekeeping: sql } = pools;
  const checkVendor = vendorCheck(world);

  async function check({ organization_id: organizationId, id: connectionId, vendor }: DueCheck) {
    const connection = await openConnection({ sql, secrets }, organizationId, connectionId);
    if (connection !== null && isUnused(world, connection)) {
      await forgetHealth(sql, { organizationId, connectionId });
      return true;
    }
    const checked = connection === null ? unreadable : await checkVendor(connection, null);
    if (checked === null) return true;
    const { reason, account } = checked;
    const { before, after } = await noteCheck(sql, {
      organizationId,
      connectionId,
      now: clock.now(),
      reason,
      ...(account !== undefined && { account }),
    });
    metrics.connectionChecked({ vendor, outcome: reason === null ? 'ok' : 'failing' });
    if (before.state !== 'failing' && reason !== null)
      log.warn({ connection: connectionId, vendor, reason }, 'the check of a connection failed');
    if (after.state === 'failing') await notifyOf({ organizationId, connectionId });
    return after.state === 'ok';
  }

  async function notifyOf(key: ConnectionKey) {
    const { ids } = world;
    const ledgerParts = { sql, ids, secrets, configurations, faults };
    try {
      const isNotified = await notifyOfFailingConnection(ledgerParts, key, clock.now());
      if (isNotified) committed({ ...noWake, notices: true });
      else if (isNotified === false)
        log.error(
          { connection: key.connectionId },
          'a connection has been failing for ten minutes or longer, and no admin can be notified',
        );
    } catch (error) {
      metrics.loopFailed('connection_checks');
      log.error({ err: error, connection: key.connectionId }, 'admins could not be notified');
    }
  }

  const checker = new Checker({
    clock,
    check,
    claim: (claim) => claimChecks(sql, claim),
    putOff: (due, until) => putOffCheck(sql, due, until),
    failed(due, error) {
      metrics.loopFailed('connection_checks');
      log.error({ err: error, connection: due.id }, 'a connection could not be checked');
    },
  });
  stack.use(checker);
  stack.use(
    startLoop({
      name: 'connection_checks',
      clock,
      log,
      work: async () => 0,
      async next() {
        await checker.begin();
        return null;
      },
      failed: () => metrics.loopFailed('connection_checks'),
    }),
  );
}

const unreadable = {
  reason: 'its secrets cannot be decrypted: set them again',
  account: undefined,
};
