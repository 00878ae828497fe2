// Runs a replay in a worker thread.
import type { MessagePort } from 'node:worker_threads';
import type { StoredEvent } from '../../engine/ports/events.ts';
import type { ReadingIntegration } from '../../storage/incidents/events.ts';
import { withProposed } from '../../what-if/proposals.ts';
import { type ReplayParams as Question, replay } from '../../what-if/replay.ts';
import { type RpcClient, rpcClient } from '../../workers/rpc.ts';
import { configurationOf } from './configuration-cache.ts';
import type { ConfigurationMethods } from './configuration-methods.ts';
import { type ProposalMethods, readProposal, type TeamScope } from './proposal.ts';
import { replayAnswer } from './replay-answer.ts';
import { type StoryText, storyText } from './story-text.ts';
import { readEvent } from './trial-event.ts';

export type ReplayInput = Pick<Question, 'from' | 'to'> & {
  readonly team: TeamScope;
  /** `ProposalBodies` as JSON, which is fastest to clone. */
  readonly proposal: string;
  /** The integrations whose events are replayed. */
  readonly integrations: readonly ReadingIntegration[];
  /** Pages of other teams' incidents are only counted; null: the caller sees all teams. */
  readonly teamIds: readonly string[] | null;
  /** Serves `ReplayMethods`. */
  readonly port: MessagePort;
};

/** What a replay in its thread may request of the engine's. */
export type ReplayMethods = ConfigurationMethods &
  ProposalMethods & {
    /** Whether there are too many events, so that the oldest are left out. */
    readonly isCut: (params: null) => Promise<boolean>;
    /** Oldest first, in portions; null at the end. */
    readonly events: (params: null) => Promise<readonly StoredEvent[] | null>;
  };

export const runReplay = (input: ReplayInput): Promise<StoryText> =>
  storyText(async (optionsFor) => {
    const { from, to, teamIds, integrations } = input;
    const call = rpcClient<ReplayMethods>(input.port);
    const proposed = await readProposal(JSON.parse(input.proposal), input.team, call);
    const isCut = await call('isCut', null);
    const saved = await configurationOf(call);
    const result = await replay({
      saved: optionsFor(saved),
      proposed: optionsFor(withProposed(saved, proposed)),
      from,
      to,
      events: readingsOf(eventsOf(call), integrations),
    });
    return replayAnswer(result, { from, to, isCut, teamIds });
  });

async function* eventsOf(call: RpcClient<ReplayMethods>): AsyncGenerator<StoredEvent> {
  for (let some = await call('events', null); some; some = await call('events', null)) yield* some;
}

/** Each event as its integration reads it today, whatever it read then. */
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
