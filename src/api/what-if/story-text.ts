// How a worker thread tells a story: as JSON, with what failed alone in it, for it has no log.
import type { Fault } from '../../engine/faults.ts';
import type { Configuration } from '../../incidents/configuration.ts';
import { receiverByFingerprint } from '../../storage/outbox/receiver.ts';
import type { MemoryLedgerOptions } from '../../what-if/memory/ledger.ts';

/** Of one story; the rest is like them. */
const FAULTS_REPORTED = 100;

export type StoryText = { readonly text: string; readonly faults: readonly Fault[] };

type OptionsFor = (configuration: Configuration) => MemoryLedgerOptions;

/** The configuration has fingerprints in the place of what is sealed. */
export async function storyText(
  story: (optionsFor: OptionsFor) => Promise<object>,
): Promise<StoryText> {
  const faults: Fault[] = [];
  const optionsFor: OptionsFor = (configuration) => ({
    configurations: new Map([[configuration.organization_id, configuration]]),
    faults: (fault) => void (faults.length < FAULTS_REPORTED && faults.push(fault)),
    receiverOf: receiverByFingerprint,
  });
  return { text: JSON.stringify(await story(optionsFor)), faults };
}
