// Requests and mails that are refused although their integration is known. The first of a kind is
// logged at once, those of the next minute in one row. What is refused because there is no room is
// only counted at first.
import type { EventSource } from '../../alerts/alert.ts';
import type { Refused } from '../../alerts/refused.ts';
import type { Clock } from '../clock.ts';
import { failureOf, type Log } from '../log.ts';
import type { Arrival } from './arrival.ts';
import { RefusedSpells, type Refusing } from './refused-spells.ts';

export type RefusedArrival = Pick<
  Arrival,
  'organizationId' | 'integrationId' | 'slug' | 'integrationName'
> &
  Pick<Refused, 'status' | 'reason' | 'isLost'> & { readonly source: EventSource };

type Options = {
  readonly clock: Clock;
  readonly log: Log;
  /** Resolves when it is stored. */
  readonly record: (arrival: Arrival) => Promise<unknown>;
  /**
   * Stores in which time the events of integrations were refused; answers the integrations of which
   * some server took an event since.
   */
  readonly recordDeaf: (refusing: readonly Refusing[]) => Promise<ReadonlySet<string>>;
};

type Counted = { readonly refused: RefusedArrival; times: number; dueAt: Temporal.Instant };

const PAUSE = { minutes: 1 } as const;

/** Of these the sender tries again, and there is no room to log each. */
const crowded: ReadonlySet<number> = new Set([429, 451, 500, 503]);
/** While these are answered, the tool cannot report anything. */
const deafening: ReadonlySet<number> = new Set([429, 451, 503]);

export class Refusals {
  readonly #options: Options;
  readonly #counted = new Map<string, Counted>();
  readonly #spells: RefusedSpells;

  constructor(options: Options) {
    this.#options = options;
    const { clock, log, recordDeaf: record } = options;
    this.#spells = new RefusedSpells({ clock, log, record });
  }

  /** Resolves when it is in the log, unless it is only counted for now. It never rejects. */
  async note(refused: RefusedArrival): Promise<void> {
    if (deafening.has(refused.status)) this.#spells.refuse(refused);
    const name = `${refused.integrationId} ${refused.status}`;
    const known = this.#counted.get(name);
    if (known !== undefined) {
      known.times += 1;
      return;
    }
    const now = this.#options.clock.now();
    const isCrowded = crowded.has(refused.status);
    const counted = { refused, times: 1, dueAt: isCrowded ? now.add(PAUSE) : now };
    this.#counted.set(name, counted);
    if (!isCrowded) await this.#log(counted);
  }

  /** An event of the integration was taken. */
  taken(integrationId: string): void {
    this.#spells.taken(integrationId);
  }

  /** When something is to be logged or stored; null: nothing was refused. */
  get dueAt(): Temporal.Instant | null {
    const due = [...this.#counted.values()].map((one) => one.dueAt);
    const [first] = [...due, this.#spells.dueAt ?? []].flat().sort(Temporal.Instant.compare);
    return first ?? null;
  }

  /** Logs what is due; answers how many rows. What cannot be stored is logged later. */
  async flush(): Promise<number> {
    const now = this.#options.clock.now();
    const [logged] = await Promise.all([
      this.#logAll((one) => Temporal.Instant.compare(one.dueAt, now) <= 0),
      this.#spells.store(),
    ]);
    return logged;
  }

  /** Logs also what is not due yet: this server stops. */
  async finish(): Promise<void> {
    await Promise.all([this.#logAll(() => true), this.#spells.store()]);
  }

  async #logAll(isDue: (counted: Counted) => boolean): Promise<number> {
    const due = [...this.#counted].filter(([, counted]) => isDue(counted));
    for (const [name, { times }] of due) if (times === 0) this.#counted.delete(name);
    const some = due.filter(([, { times }]) => times > 0);
    const logged = await Promise.all(some.map(([, counted]) => this.#log(counted)));
    return logged.filter((isLogged) => isLogged).length;
  }

  async #log(counted: Counted): Promise<boolean> {
    const { clock, log, record } = this.#options;
    const { refused, times } = counted;
    counted.dueAt = clock.now().add(PAUSE);
    counted.times = 0;
    try {
      await record(arrivalOf(refused, times));
      return true;
    } catch (error) {
      counted.times += times;
      const about = { integration_id: refused.integrationId, reason: failureOf(error) };
      log.warn(about, 'refused events could not be logged yet');
      return false;
    }
  }
}

const nothing = new Uint8Array();

const arrivalOf = ({ status, reason, isLost, ...of }: RefusedArrival, times: number): Arrival => ({
  ...of,
  path: '',
  contentType: '',
  body: nothing,
  refused: { status, reason, times, isLost },
});
