// At which pace messages are changed: each place and each connection of a vendor a few at a time, with
// pauses between, and no organization more than it leaves for the others.
import { isDue, isSooner } from '../../incidents/incident.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { Counts, type Rooms, within } from '../claims/rooms.ts';
import type { PostedMessage } from '../sending/channel.ts';

/** What may be changed now. */
export type EditRooms = {
  /** Places where a message is being changed. */
  readonly busy: readonly string[];
  /** Where one was, a moment ago: only those are changed that somebody has just acted on. */
  readonly paused: readonly string[];
  /** By these nothing is changed now; by each of the others one message may begin. */
  readonly connections: readonly string[];
  /** How many more may begin of each organization. */
  readonly organizations: Rooms;
};

type Changing = { readonly organization_id: string; readonly posted: PostedMessage };

/** How it ended. */
export type Ended = {
  /** Its vendor was called. */
  readonly isEdited: boolean;
  /** For how long the vendor wants to be left alone. */
  readonly waitMs: number;
};

type Place = Pick<PostedMessage, 'connectionId' | 'place'>;

const placeKey = ({ connectionId, place }: Place): string => `${connectionId} ${place}`;

export class EditPace {
  readonly #max = sendingLimits.edits;
  readonly #busy = new Set<string>();
  readonly #paused = new Map<string, Temporal.Instant>();
  readonly #ofConnection = new Counts();
  /** By connection, until when the next waits for the pause after the one that began last. */
  readonly #begun = new Map<string, Temporal.Instant>();
  /** By connection, until when its vendor wants to be left alone. */
  readonly #waiting = new Map<string, Temporal.Instant>();
  readonly #ofOrganization = new Counts();

  get underWay(): number {
    return this.#ofOrganization.total;
  }

  /** How many more may begin. */
  get room(): number {
    return Math.max(0, this.#max - this.underWay);
  }

  /** What is to be called once it has ended. */
  begin({ organization_id, posted }: Changing, now: Temporal.Instant) {
    const place = placeKey(posted);
    const { connectionId } = posted;
    this.#busy.add(place);
    this.#ofOrganization.add(organization_id, 1);
    const nextAt = now.add({ milliseconds: sendingLimits.editPause });
    if (connectionId !== null) {
      this.#ofConnection.add(connectionId, 1);
      this.#begun.set(connectionId, nextAt);
    }
    return ({ isEdited, waitMs }: Ended, end: Temporal.Instant): void => {
      this.#busy.delete(place);
      this.#ofOrganization.add(organization_id, -1);
      if (isEdited) this.#paused.set(place, after(end, Math.max(sendingLimits.editDelay, waitMs)));
      if (connectionId === null) return;
      this.#ofConnection.add(connectionId, -1);
      if (!isEdited && this.#begun.get(connectionId) === nextAt) this.#begun.delete(connectionId);
      if (waitMs > 0) lengthen(this.#waiting, connectionId, after(end, waitMs));
    };
  }

  rooms(now: Temporal.Instant): EditRooms {
    for (const pauses of this.#pauses())
      for (const [name, until] of pauses) if (isDue(until, now)) pauses.delete(name);
    const full = this.#ofConnection.atLeast(sendingLimits.editsOfConnection);
    return {
      busy: [...this.#busy],
      paused: [...this.#paused.keys()],
      connections: [...new Set([...full, ...this.#begun.keys(), ...this.#waiting.keys()])],
      organizations: this.#ofOrganization.roomsLeaving(this.#max),
    };
  }

  /** When the first pause ends. */
  next(): Temporal.Instant | null {
    const ends = this.#pauses().flatMap((pauses) => [...pauses.values()]);
    return ends.toSorted(Temporal.Instant.compare)[0] ?? null;
  }

  #pauses() {
    return [this.#paused, this.#begun, this.#waiting];
  }
}

const after = (instant: Temporal.Instant, ms: number) => instant.add({ milliseconds: ms });

function lengthen(pauses: Map<string, Temporal.Instant>, name: string, until: Temporal.Instant) {
  const known = pauses.get(name);
  if (known === undefined || isSooner(known, until)) pauses.set(name, until);
}

/** A message that is due, where nothing but its turn keeps it from being changed. */
export type EditCandidate = Place & { readonly organization_id: string };

/**
 * Those that may be changed of the candidates: of each place and each connection the first. The
 * organizations take turns.
 */
export function shareOutEdits<Edit extends EditCandidate>(
  candidates: readonly Edit[],
  { organizations }: Pick<EditRooms, 'organizations'>,
): readonly Edit[] {
  const one: Rooms = { each: 1, of: new Map() };
  const edits = candidates
    .filter(within(one, (edit) => `${edit.organization_id} ${placeKey(edit)}`))
    .filter(within(one, ({ connectionId }) => connectionId))
    .filter(within(organizations, ({ organization_id }) => organization_id));
  const turns = new Map<string, number>();
  return edits
    .map((edit) => {
      const turn = turns.get(edit.organization_id) ?? 0;
      turns.set(edit.organization_id, turn + 1);
      return { edit, turn };
    })
    .toSorted((a, b) => a.turn - b.turn)
    .map(({ edit }) => edit);
}
