import type { Reading } from '../../alerts/alert.ts';
import { memoryLimits } from '../../limits/memory.ts';
import type { StoredEvent } from '../ports/events.ts';
import type { EventReader, ReadingIntegration } from './reader.ts';

type Options = {
  readonly reader: Pick<EventReader, 'storedApart'>;
  /** Called when an event was read. */
  readonly ready: () => void;
};

/**
 * Stored events that are read in another thread: what was read waits here until the event is
 * decided. Nothing waits for it meanwhile, so that no transaction is held open.
 */
export class StoredReadings {
  readonly #options: Options;
  /** By event, and what it is read by. */
  readonly #readings = new Map<string, Reading | 'being read'>();
  #underWay = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Whether any is being read. */
  get isReading(): boolean {
    return this.#underWay > 0;
  }

  /** Null: it was not read apart. */
  of(event: StoredEvent, integration: ReadingIntegration): Reading | 'being read' | null {
    return this.#readings.get(nameOf(event, integration)) ?? null;
  }

  /** To be asked for again when it was read. */
  begin(event: StoredEvent, integration: ReadingIntegration): void {
    const name = nameOf(event, integration);
    this.#readings.set(name, 'being read');
    this.#underWay += 1;
    void this.#read(name, event, integration);
  }

  async #read(name: string, event: StoredEvent, integration: ReadingIntegration): Promise<void> {
    const reading = await this.#options.reader.storedApart(event, integration);
    this.#underWay -= 1;
    // Behind those that are being read. What another server decided is never asked for again.
    this.#readings.delete(name);
    this.#readings.set(name, reading);
    for (const [oldest, one] of this.#readings) {
      if (this.#readings.size <= memoryLimits.storedReadings) break;
      if (one !== 'being read') this.#readings.delete(oldest);
    }
    this.#options.ready();
  }
}

const nameOf = ({ id }: StoredEvent, { slug, mapping }: ReadingIntegration): string =>
  `${id} ${slug} ${mapping?.revision ?? ''}`;
