// The result of a simulation or replay: JSON text, and the faults, for a worker thread has no log.
import type { Fault } from '../../engine/faults.ts';
import type { Configuration } from '../../incidents/configuration.ts';
import { recipientKeyByFingerprint } from '../../storage/outbox/recipient-key.ts';
import type { MemoryLedgerOptions } from '../../what-if/memory/ledger.ts';

/** Of one task; more would be of the same kind. */
const FAULTS_REPORTED = 100;

export type StoryText = { readonly text: string; readonly faults: readonly Fault[] };

type OptionsFor = (configuration: Configuration) => MemoryLedgerOptions;

/** For configurations with fingerprints in place of sealed texts. */
export async function storyText(
  story: (optionsFor: OptionsFor) => Promise<object>,
): Promise<StoryText> {
  const faults: Fault[] = [];
  const optionsFor: OptionsFor = (configuration) => ({
    configurations: new Map([[configuration.organization_id, configuration]]),
    faults: (fault) => void (faults.length < FAULTS_REPORTED && faults.push(fault)),
    recipientKeyOf: recipientKeyByFingerprint,
  });
  return { text: JSON.stringify(await story(optionsFor)), faults };
}
