// How a worker thread tells a story: as JSON, with what failed alone in it, for it has no log.
import type { Fault } from '../../engine/faults.ts';
import type { Configuration } from '../../incidents/configuration.ts';
import { receiverByFingerprint } from '../../storage/outbox/receiver.ts';
import type { Given } from '../../what-if/memory/ledger.ts';

/** Of one story; the rest is like them. */
const FAULTS_TOLD = 100;

export type Told = { readonly text: string; readonly faults: readonly Fault[] };

type GivenIn = (configuration: Configuration) => Given;

/** The configuration has fingerprints in the place of what is sealed. */
export async function told(story: (givenIn: GivenIn) => Promise<object>): Promise<Told> {
  const faults: Fault[] = [];
  const givenIn: GivenIn = (configuration) => ({
    configurations: new Map([[configuration.organization_id, configuration]]),
    faults: (fault) => void (faults.length < FAULTS_TOLD && faults.push(fault)),
    receiverOf: receiverByFingerprint,
  });
  return { text: JSON.stringify(await story(givenIn)), faults };
}
