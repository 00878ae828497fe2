// The story of an event, or of an incident from now on, computed in a worker thread.
import type { MessagePort } from 'node:worker_threads';
import { keyOf } from '../../engine/intake/batch-state.ts';
import type { StoredEvent } from '../../engine/ledger.ts';
import { withProposed } from '../../what-if/proposals.ts';
import { type Question, simulate } from '../../what-if/simulate.ts';
import { asking } from '../../workers/answering.ts';
import { alertsIn, type Found } from '../rules/event.ts';
import { configurationOf } from './held.ts';
import { type Place, readProposed } from './proposed.ts';
import { storyShown } from './shown.ts';
import type { SimulationAnswers } from './simulate.ts';
import { type Told, told } from './telling.ts';

export type Simulating = Pick<Question, 'at' | 'acknowledgeAfterMinutes' | 'until'> & {
  /** Null: the incident that is in the past goes on. */
  readonly arrives: Arriving | null;
  /** Only of incidents of these teams is anything told; null: of all. */
  readonly teamIds: readonly string[] | null;
  /** Answers what the story needs: `SimulationAnswers`. */
  readonly port: MessagePort;
};

type Arriving = {
  readonly place: Place;
  readonly found: Found;
  /** What is proposed: `Said` as JSON, which travels fastest. */
  readonly said: string;
};

export const simulated = ({ port, arrives, teamIds, ...course }: Simulating): Promise<Told> =>
  told(async (givenIn) => {
    const ask = asking<SimulationAnswers>(port);
    const arrived = arrives && {
      event: arrivalOf(arrives, course.at),
      alerts: await alertsIn(arrives.found),
    };
    const proposed = arrives
      ? await readProposed(JSON.parse(arrives.said), arrives.place, ask)
      : {};
    const keys = arrived ? arrived.alerts.map((alert) => keyOf(arrived.event, alert)) : [];
    const past = await ask('past', keys);
    const saved = await configurationOf(ask);
    const given = givenIn(withProposed(saved, proposed));
    const question: Question = { ...course, given, past, arrives: arrived };
    return storyShown(await simulate(question), { question, teamIds });
  });

/** It was read already: what is left of it is when and where. */
const arrivalOf = ({ place, found }: Arriving, at: Temporal.Instant): StoredEvent => ({
  organization_id: place.organization_id,
  id: 'simulated',
  integration_id: found.integration.id,
  received_at: at,
  ...{ door: 'http', method: null, path: '', query: null, headers: null, content_type: '' },
  body: new Uint8Array(),
  mail: null,
});
