// How the engine reads events: what takes little work at once, everything else in worker threads.
import { within } from '../../alerts/effort.ts';
import type { IntegrationType } from '../../alerts/integration-type.ts';
import { storedHeaders } from '../../alerts/request-headers.ts';
import { type Arrival, eventOf } from '../../engine/intake/arrival.ts';
import type { EventReader } from '../../engine/intake/reader.ts';
import type { Log } from '../../engine/log.ts';
import type { StoredEvent } from '../../engine/ports/events.ts';
import { eventsLimits } from '../../limits/events.ts';
import { packed, unpacked } from '../../workers/clone.ts';
import type { Pool, Refused } from '../../workers/pool.ts';
import { asText, namedBy, readArrival, readingOf } from './read-event.ts';
import { readingIn } from './reading-lines.ts';
import { withoutSecrets } from './without-secrets.ts';

export type ReadingTasks = typeof import('./thread-tasks.ts');

const reasons: Readonly<Record<Refused | 'failed', string>> = {
  too_slow: 'it takes too long to read',
  too_large: 'it takes too much memory to read',
  busy: 'too many events that take long to read arrived at once',
  caller_busy: 'too many events that take long to read arrived at once',
  gone: 'the server stopped',
  failed: 'its reader failed',
};

type ReaderOptions = {
  readonly pool: Pick<Pool<ReadingTasks>, 'run'>;
  readonly log: Log;
};

type Of = Pick<StoredEvent, 'id' | 'organization_id' | 'integration_id'>;

export function createEventReader({ pool, log }: ReaderOptions): EventReader {
  const { readingAtOnce } = eventsLimits;

  /** What a task made of an event, or why it made nothing. */
  async function run<Name extends keyof ReadingTasks>(
    { id, organization_id, integration_id }: Of,
    name: Name,
    input: Parameters<ReadingTasks[Name]>[0],
  ): Promise<{ readonly value: ReturnType<ReadingTasks[Name]> } | { readonly why: string }> {
    const requester = { organizationId: organization_id, caller: integration_id };
    const ran = await pool.run(requester, name, packed(input)).catch((error: unknown) => {
      log.error({ err: error, integration_id, event_id: id }, 'the reader of an event failed');
      return { refused: 'failed' as const };
    });
    if ('value' in ran) return { value: ran.value as ReturnType<ReadingTasks[Name]> };
    const { refused: reason } = ran;
    log.warn({ integration_id, event_id: id, reason }, 'an event was read as text');
    return { why: reasons[reason] };
  }

  return {
    arriving: (arrival, came, type) =>
      within(() => readArrival(arrival, came, type), readingAtOnce),
    async arrivingApart(arrival, came, type) {
      const of = {
        id: came.id,
        organization_id: arrival.organizationId,
        integration_id: arrival.integrationId,
      };
      const ran = await run(of, 'readArriving', { arrival: sentOf(arrival, type), came });
      if ('why' in ran) {
        const event = eventOf(withoutSecrets(arrival, type, 'by name'), came, type);
        return { event, reading: asText(event, namedBy(arrival).name, ran.why) };
      }
      const { lines, body, query } = unpacked(ran.value);
      const masked = { ...arrival, ...(body && { body }), ...withQuery(arrival, query) };
      return { event: eventOf(masked, came, type), reading: await readingIn(lines) };
    },
    stored: (event, type, integration) =>
      within(() => readingOf(event, type, integration), readingAtOnce),
    async storedApart(event, { slug, name, mapping }) {
      const integration = { slug, name, mapping };
      const ran = await run(event, 'readStored', { event: readable(event), integration });
      return 'why' in ran ? asText(event, name, ran.why) : readingIn(ran.value);
    },
  };
}

const nothing = new Uint8Array();

/** Of a mail what was read of it suffices. */
const readable = (event: StoredEvent): StoredEvent =>
  event.mail === null ? event : { ...event, body: nothing };

/** As much of it as a thread reads. */
function sentOf(arrival: Arrival, type: IntegrationType): Arrival {
  const { sent, mail } = arrival;
  if (sent === undefined) return mail === undefined ? arrival : { ...arrival, body: nothing };
  return { ...arrival, sent: { ...sent, headers: storedHeaders(type, sent.headers) } };
}

const withQuery = ({ sent }: Arrival, query: string | null): Pick<Arrival, 'sent'> =>
  sent === undefined || query === null ? {} : { sent: { ...sent, query } };
