// What is needed to do what people request at a vendor.
import { createLimiter } from '../api/http/limiter.ts';
import { accessLimits } from '../limits/access.ts';
import { incidentsLimits } from '../limits/incidents.ts';
import type { InboundParts } from '../replies/chat.ts';
import type { ServerContext } from './context.ts';
import type { Engine } from './engine.ts';

type EngineParts = Pick<Engine, 'ledger' | 'committed' | 'faults' | 'configurations'>;

/** By the connections of the engine: whoever acknowledges waits for no list. */
export function inboundPartsOf(
  { clock, log, ids, pools, secrets, config }: ServerContext,
  { ledger, committed, faults, configurations }: EngineParts,
): InboundParts {
  return {
    sql: pools.engine,
    ids,
    clock,
    secrets,
    publicUrl: config.publicUrl,
    ledger,
    committed,
    faults,
    configurations,
    strangers: {
      each: createLimiter({ clock, tries: accessLimits.strangerAnHour, seconds: 3_600 }),
      all: createLimiter({ clock, tries: accessLimits.strangersAnHour, seconds: 3_600 }),
      talk: createLimiter({ clock, tries: accessLimits.strangerTalkAnHour, seconds: 3_600 }),
    },
    chatNotes: createLimiter({ clock, tries: incidentsLimits.chatNotesAnHour, seconds: 3_600 }),
    failed: (error) => log.error({ err: error }, 'a message could not be updated'),
  };
}
