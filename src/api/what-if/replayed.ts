// The events of the last days judged twice, computed in a worker thread.
import type { MessagePort } from 'node:worker_threads';
import type { StoredEvent } from '../../engine/ledger.ts';
import type { ReadingIntegration } from '../../storage/incidents/events.ts';
import { withProposed } from '../../what-if/proposals.ts';
import { type Replaying as Question, replay } from '../../what-if/replay.ts';
import { type Ask, asking } from '../../workers/answering.ts';
import { readEvent } from '../rules/event.ts';
import { configurationOf } from './held.ts';
import { type Place, readProposed } from './proposed.ts';
import type { ReplayAnswers } from './replay.ts';
import { replayedShown } from './replayed-shown.ts';
import { type Told, told } from './telling.ts';

export type Replaying = Pick<Question, 'from' | 'to'> & {
  readonly place: Place;
  /** What is proposed: `Said` as JSON, which travels fastest. */
  readonly said: string;
  /** Those whose events are judged, as they read them today. */
  readonly integrations: readonly ReadingIntegration[];
  /** Only whom incidents of these teams page is told; null: of all. */
  readonly teamIds: readonly string[] | null;
  /** Answers what the replay needs: `ReplayAnswers`. */
  readonly port: MessagePort;
};

export const replayed = (asked: Replaying): Promise<Told> =>
  told(async (givenIn) => {
    const { from, to, teamIds, integrations } = asked;
    const ask = asking<ReplayAnswers>(asked.port);
    const proposed = await readProposed(JSON.parse(asked.said), asked.place, ask);
    const isCut = await ask('isCut', null);
    const saved = await configurationOf(ask);
    const differing = await replay({
      saved: givenIn(saved),
      proposed: givenIn(withProposed(saved, proposed)),
      ...{ from, to, events: readingsOf(eventsOf(ask), integrations) },
    });
    return replayedShown(differing, { from, to, isCut, teamIds });
  });

async function* eventsOf(ask: Ask<ReplayAnswers>): AsyncGenerator<StoredEvent> {
  for (let some = await ask('events', null); some; some = await ask('events', null)) yield* some;
}

/** Each event as its integration reads it today. */
async function* readingsOf(
  events: AsyncIterable<StoredEvent>,
  integrations: readonly ReadingIntegration[],
): Question['events'] {
  const byId = new Map(integrations.map((one) => [one.id, one]));
  for await (const event of events) {
    const integration = byId.get(event.integration_id);
    if (integration) yield { event, reading: await readEvent(event, integration) };
  }
}
