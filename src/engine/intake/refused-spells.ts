// Integrations whose events are refused because there is no room for them: meanwhile their tools can
// report nothing. docs/decisions/0079-deaf-time.md.
import type { Spell } from '../../incidents/missed-events.ts';
import type { Clock } from '../clock.ts';
import { failureOf, type Log } from '../log.ts';

/** From the first refusal to the next event that was taken, or until now. */
export type Refusing = Spell & {
  readonly organizationId: string;
  readonly integrationId: string;
};

type Options = {
  readonly clock: Clock;
  readonly log: Log;
  /** Stores the spells; answers the integrations of which some server took an event since. */
  readonly record: (refusing: readonly Refusing[]) => Promise<ReadonlySet<string>>;
};

type Refused = Pick<Refusing, 'organizationId' | 'integrationId' | 'from'> & {
  readonly lastAt: Temporal.Instant;
  /** When this server took an event of it again. */
  readonly takenAt: Temporal.Instant | null;
};

/** While it lasts a spell is stored so often; its begin and its end at once. */
const EVERY = { minutes: 1 } as const;
const AT_ONCE = { seconds: 1 } as const;
/** Spells count for no longer. */
const LONGEST = { hours: 24 } as const;

export class RefusedSpells {
  readonly #options: Options;
  /** By integration. */
  readonly #refused = new Map<string, Refused>();
  #storedAt: Temporal.Instant | null = null;
  #isChanged = false;

  constructor(options: Options) {
    this.#options = options;
  }

  refuse({ organizationId, integrationId }: Omit<Refusing, keyof Spell>): void {
    const now = this.#options.clock.now();
    const known = this.#refused.get(integrationId);
    // One that has ended and is not stored yet goes on: there is room for one of each integration.
    const from = known?.from ?? now;
    this.#refused.set(integrationId, {
      organizationId,
      integrationId,
      from,
      lastAt: now,
      takenAt: null,
    });
    if (known === undefined) this.#isChanged = true;
  }

  /** An event of the integration was taken. */
  taken(integrationId: string): void {
    const known = this.#refused.get(integrationId);
    if (known === undefined || known.takenAt !== null) return;
    this.#refused.set(integrationId, { ...known, takenAt: this.#options.clock.now() });
    this.#isChanged = true;
  }

  /** When they are to be stored; null: there are none. */
  get dueAt(): Temporal.Instant | null {
    if (this.#refused.size === 0) return null;
    return this.#storedAt?.add(this.#isChanged ? AT_ONCE : EVERY) ?? this.#options.clock.now();
  }

  /** Stores all of them. It never rejects: what fails is stored later. */
  async store(): Promise<void> {
    const { clock, log, record } = this.#options;
    const sent = [...this.#refused.values()];
    if (sent.length === 0) return;
    const now = clock.now();
    this.#storedAt = now;
    this.#isChanged = false;
    try {
      const taken = await record(
        sent.map(({ lastAt: _, takenAt, ...one }) => ({ ...one, to: takenAt ?? now })),
      );
      for (const one of sent) this.#stored(one, taken, now);
    } catch (error) {
      log.warn({ reason: failureOf(error) }, 'times of refused events could not be stored yet');
    }
  }

  #stored(one: Refused, taken: ReadonlySet<string>, now: Temporal.Instant): void {
    const { integrationId, takenAt } = one;
    const isOld = Temporal.Instant.compare(one.lastAt.add(LONGEST), now) <= 0;
    if (takenAt === null && !taken.has(integrationId) && !isOld) return;
    const last = this.#refused.get(integrationId);
    // Refused again meanwhile: that is another spell.
    if (last && last !== one && last.takenAt === null)
      this.#refused.set(integrationId, { ...last, from: last.lastAt });
    else this.#refused.delete(integrationId);
  }
}
