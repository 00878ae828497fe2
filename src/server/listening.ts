// Receives what people do at vendors that do not call, and answers it.
import { setTimeout as pause } from 'node:timers/promises';
import type { ListenParts, VendorWay } from '../channels/vendor.ts';
import { vendors } from '../channels/vendors.ts';
import { Listener, type Way } from '../engine/listening/listen.ts';
import { startLoop } from '../engine/loop.ts';
import type { InboundParts } from '../replies/chat.ts';
import { handleInbound } from '../replies/handle-inbound.ts';
import { noteCheck } from '../storage/connections/health.ts';
import {
  advanceListener,
  claimListener,
  holderOf,
  listListened,
  releaseListeners,
} from '../storage/connections/listeners.ts';
import { openConnection } from '../storage/connections/open-connections.ts';
import { readBefore, recordRead } from '../storage/connections/replies.ts';
import { isAnyPaged } from '../storage/incidents/paged.ts';
import { isAnyLinking } from '../storage/people/link-codes.ts';
import { vendorWay } from './channels.ts';
import type { ServerContext } from './context.ts';
import type { Engine } from './engine.ts';
import { inboundPartsOf } from './inbound-parts.ts';
import { vendorPacer } from './vendor-pace.ts';

export function startListening(
  world: ServerContext,
  engine: Pick<Engine, 'ledger' | 'committed' | 'metrics' | 'faults' | 'configurations'>,
  stack: AsyncDisposableStack,
): void {
  const { clock, log, ids, pools, claimant } = world;
  const { engine: sql } = pools;
  const holder = holderOf(claimant, ids.next());
  const ports = listenPortsOf(world, inboundPartsOf(world, engine));
  const ways = new Map(
    vendors.flatMap((one): [string, Way][] => {
      const way = one.listen?.({ ...vendorWay(world, one), ...ports }) ?? null;
      return way === null ? [] : [[one.declaration.vendor, way]];
    }),
  );
  const listener = new Listener({
    clock,
    wayTo({ vendor }) {
      const way = ways.get(vendor);
      if (way === undefined) throw new Error(`nothing listens to ${vendor}`);
      return way;
    },
    list: () => listListened(sql, { vendors: [...ways.keys()], holder, now: clock.now() }),
    claim: (listened, until) => claimListener(sql, { listened, holder, now: clock.now(), until }),
    advance: (listened, next, until) => advanceListener(sql, { listened, holder, next, until }),
    failed(listened, error) {
      engine.metrics.loopFailed('listeners');
      log.error({ err: error, connection: listened.id }, 'a received message could not be handled');
    },
  });
  stack.defer(() => releaseListeners(sql, holder));
  stack.use(listener);
  stack.use(
    startLoop({
      name: 'listeners',
      clock,
      log,
      work: async () => 0,
      async next() {
        await listener.refresh();
        return null;
      },
      failed: () => engine.metrics.loopFailed('listeners'),
    }),
  );
}

function listenPortsOf(
  { clock, log, pools, secrets }: ServerContext,
  receiving: InboundParts,
): Omit<ListenParts, keyof VendorWay> {
  const { engine: sql } = pools;
  return {
    log,
    failed: receiving.failed,
    receive: (source, inbound) => handleInbound(receiving, source, inbound),
    turn: vendorPacer({ sql, clock, pause }),
    open: ({ organization_id, id }) => openConnection({ sql, secrets }, organization_id, id),
    note: ({ organization_id: organizationId, id: connectionId }, noted) =>
      noteCheck(sql, { organizationId, connectionId, now: clock.now(), ...noted }),
    isAnyPaged: (paged) => isAnyPaged(sql, paged),
    isAnyLinking: (linking) => isAnyLinking(sql, { ...linking, now: clock.now() }),
    readBefore: (events) => readBefore(sql, events),
    recordRead: (event, now) => recordRead(sql, event, now),
  };
}
