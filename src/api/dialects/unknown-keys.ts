// Keys that nobody has adopted and that tools send all the same, so that admins see what still calls
// with the key of another service. They are in the memory of this server alone, never whole.
import type { Clock } from '../../engine/clock.ts';
import { memoryLimits } from '../../limits/memory.ts';
import { queryLimits } from '../../limits/queries.ts';
import { endOf, type KeyKind, keyForm } from '../../resources/integration-key.ts';
import { timeText } from '../../storage/records/rows.ts';

export type UnknownKey = {
  readonly kind: KeyKind;
  readonly last4: string;
  readonly user_agent: string;
  readonly count: number;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
};

type Noted = {
  readonly digest: string;
  readonly kind: KeyKind;
  readonly last4: string;
  readonly userAgent: string;
  readonly firstAt: Temporal.Instant;
  readonly lastAt: Temporal.Instant;
  readonly count: number;
};

/** Called for a key that `recogniseKey` does not know; one that could not be adopted is left out. */
export type NoteUnknownKey = (kind: KeyKind, key: string, userAgent: string | undefined) => void;

type Options = { readonly clock: Clock; readonly digest: (text: string) => Buffer };

export type UnknownKeys = ReturnType<typeof createUnknownKeys>;

export function createUnknownKeys({ clock, digest: digestOf }: Options) {
  const noted = new Map<string, Noted>();

  function makeRoom(): void {
    if (noted.size < memoryLimits.unknownKeys) return;
    const [rarest] = [...noted].sort(([, one], [, other]) => byUse(one, other));
    if (rarest) noted.delete(rarest[0]);
  }

  const note: NoteUnknownKey = (kind, key, userAgent = '') => {
    if (!keyForm.test(key)) return;
    const digest = digestOf(key).toString('hex');
    const name = `${kind} ${digest}`;
    const lastAt = clock.now();
    const before = noted.get(name);
    if (before === undefined) makeRoom();
    noted.set(name, {
      digest,
      kind,
      lastAt,
      last4: endOf(key),
      userAgent: shown(userAgent),
      firstAt: before?.firstAt ?? lastAt,
      count: (before?.count ?? 0) + 1,
    });
  };

  return {
    note,
    /** The last used first, without those that somebody has adopted meanwhile. */
    async list(findAdopted: (digests: readonly string[]) => Promise<readonly string[]>) {
      const all = [...noted.values()];
      const adopted = await findAdopted(all.map(({ digest }) => digest));
      return all
        .filter(({ digest }) => !adopted.includes(digest))
        .sort((one, other) => Temporal.Instant.compare(other.lastAt, one.lastAt))
        .map(rendered);
    },
  };
}

/** Guesses come once; what a tool goes on sending is not displaced by them. */
const byUse = (one: Noted, other: Noted): number =>
  one.count - other.count || Temporal.Instant.compare(one.lastAt, other.lastAt);

const shown = (userAgent: string): string =>
  userAgent.slice(0, queryLimits.textLength).replaceAll('\0', '').toWellFormed();

const rendered = ({ kind, last4, userAgent, count, firstAt, lastAt }: Noted): UnknownKey => ({
  kind,
  last4,
  count,
  user_agent: userAgent,
  first_seen_at: toMinute(firstAt),
  last_seen_at: toMinute(lastAt),
});

const toMinute = (at: Temporal.Instant): string =>
  timeText(at.round({ smallestUnit: 'minute', roundingMode: 'floor' }));
