// Receives what people do at vendors that do not call, and answers it.
import { Listener, type Way } from '../engine/listening/listen.ts';
import { startLoop } from '../engine/loop.ts';
import {
  advanceListener,
  claimListener,
  listListened,
  releaseListeners,
} from '../storage/connections/listeners.ts';
import { twilioApi } from './channels.ts';
import type { ServerContext } from './context.ts';
import type { Engine } from './engine.ts';
import { listenOnSlack } from './listen-on-slack.ts';
import { listenOnTelegram } from './listen-on-telegram.ts';
import { listenOnTwilio } from './listen-on-twilio.ts';
import { receivePartsOf } from './receiving.ts';

export function startListening(
  world: ServerContext,
  engine: Pick<Engine, 'ledger' | 'committed' | 'metrics' | 'faults' | 'configurations'>,
  stack: AsyncDisposableStack,
): void {
  const { clock, log, ids, pools } = world;
  const { engine: sql } = pools;
  const holder = ids.next();
  const receiving = receivePartsOf(world, engine);
  const ways = new Map<string, Way>([
    ['telegram', listenOnTelegram(world, receiving)],
    ['slack', listenOnSlack(world, receiving)],
  ]);
  if (twilioApi(world.config).callbackUrl === null)
    ways.set('twilio', listenOnTwilio(world, receiving));
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
      log.error({ err: error, connection: listened.id }, 'what was received could not be handled');
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
