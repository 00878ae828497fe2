// Runs a simulation in a worker thread.
import type { MessagePort } from 'node:worker_threads';
import { keysOf } from '../../alerts/in-doubt.ts';
import { keyOf } from '../../engine/intake/batch-state.ts';
import { rawKeysOf } from '../../engine/intake/decide.ts';
import type { StoredEvent } from '../../engine/ports/events.ts';
import type { Key, RawKey } from '../../engine/ports/keys.ts';
import { withProposed } from '../../what-if/proposals.ts';
import type { Past } from '../../what-if/rehearsal.ts';
import { type SimulationParams, simulate } from '../../what-if/simulate.ts';
import { rpcClient } from '../../workers/rpc.ts';
import { configurationOf } from './configuration-cache.ts';
import type { ConfigurationMethods } from './configuration-methods.ts';
import { type ProposalMethods, readProposal, type TeamScope } from './proposal.ts';
import { simulationAnswer } from './simulation-answer.ts';
import { type StoryText, storyText } from './story-text.ts';
import { alertsIn, type TrialEvent } from './trial-event.ts';

export type SimulationInput = Pick<SimulationParams, 'at' | 'acknowledgeAfterMinutes' | 'until'> & {
  /** Null: the incident of the past continues. Without an event, a policy is simulated alone. */
  readonly arrival: Arrival | null;
  /** The answer leaves out incidents of other teams; null: the caller sees all teams. */
  readonly teamIds: readonly string[] | null;
  /** Serves `SimulationMethods`. */
  readonly port: MessagePort;
};

type Arrival = {
  readonly team: TeamScope;
  readonly trial: TrialEvent | null;
  /** `ProposalBodies` as JSON, which is fastest to clone. */
  readonly proposal: string;
};

/** What a simulation in its thread may request of the engine's. */
export type SimulationMethods = ConfigurationMethods &
  ProposalMethods & {
    /** Read before the configuration, which then has every record that incidents name. */
    readonly past: (keys: readonly (Key | RawKey)[]) => Promise<Past>;
  };

export const runSimulation = ({
  port,
  arrival,
  teamIds,
  ...course
}: SimulationInput): Promise<StoryText> =>
  storyText(async (optionsFor) => {
    const call = rpcClient<SimulationMethods>(port);
    const read = arrival?.trial && {
      event: storedEventOf(arrival.team, arrival.trial, course.at),
      alerts: await alertsIn(arrival.trial),
    };
    const proposed = arrival
      ? await readProposal(JSON.parse(arrival.proposal), arrival.team, call)
      : {};
    const keys = read
      ? [
          ...read.alerts.flatMap(keysOf).map((dedup_key) => keyOf(read.event, { dedup_key })),
          ...rawKeysOf([{ event: read.event, reading: read }]),
        ]
      : [];
    const past = await call('past', keys);
    const saved = await configurationOf(call);
    const ledgerOptions = optionsFor(withProposed(saved, proposed));
    const alone = proposed.policyAlone;
    const params: SimulationParams = {
      ...course,
      ledgerOptions,
      past,
      arrival: read ?? null,
      ...(alone && {
        policyAlone: {
          organizationId: saved.organization_id,
          policyId: alone.id,
          teamId: alone.teamId,
        },
      }),
    };
    return simulationAnswer(await simulate(params), { params, teamIds });
  });

/** The event without its content, which was read already. */
const storedEventOf = (team: TeamScope, trial: TrialEvent, at: Temporal.Instant): StoredEvent => ({
  organization_id: team.organization_id,
  id: 'simulated',
  integration_id: trial.integration.id,
  received_at: at,
  source: 'http',
  method: null,
  path: '',
  query: null,
  headers: null,
  content_type: '',
  body: new Uint8Array(),
  mapping_revision: null,
  mail: null,
});
