// What stories are told in: the configuration as it is saved, or with something proposed.
import type { Configuration } from '../../incidents/configuration.ts';
import type { LedgerParts } from '../../storage/ledger/ledger.ts';
import { receiverOf } from '../../storage/outbox/receiver.ts';
import type { Given } from '../../what-if/memory/ledger.ts';

export const givenIn = (parts: LedgerParts, configuration: Configuration): Given => ({
  configurations: new Map([[configuration.organization_id, configuration]]),
  faults: parts.faults,
  receiverOf: (addressed) => receiverOf(parts, addressed),
});
