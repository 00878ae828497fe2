// What people were notified of a schedule's shifts: of their starts and ends, and of edits that moved them.

export type Notice = {
  readonly channel: string;
  readonly recipient?: string;
  readonly state: 'pending' | 'sent' | 'failed' | 'cancelled';
  readonly reason?: string;
  readonly attempts: number;
};
export type ShiftEvent = {
  readonly id: string;
  readonly type: 'start' | 'end';
  readonly recorded_at: string;
  readonly reason?: string;
  readonly shift: { readonly user_id: string; readonly start: string; readonly end: string };
  readonly notices: readonly Notice[];
};
export type ChangeNotice = Notice & {
  readonly edit: number;
  readonly user_id: string;
  readonly created_at: string;
  readonly changes: readonly Change[];
};
export type Change = {
  readonly type: 'gained' | 'lost';
  readonly start: string;
  readonly end: string | null;
};
/** What was read of a list, the newest first. */
export type Read<One> = { readonly list: readonly One[]; readonly hasMore: boolean };

export type Announced = {
  readonly key: string;
  readonly at: string;
  readonly kind: 'start' | 'end' | 'change';
  readonly userId: string;
  readonly shift?: { readonly start: string; readonly end: string };
  readonly changes: readonly Change[];
  /** Why nobody was notified. */
  readonly reason?: string;
  readonly notices: readonly Notice[];
};

/** Newest first. What is older than a list was read to is left out: of the other one it is not all. */
export function announcedOf(
  events: Read<ShiftEvent>,
  notices: Read<ChangeNotice>,
): readonly Announced[] {
  const begins = [
    events.hasMore ? events.list.at(-1)?.recorded_at : undefined,
    notices.hasMore ? notices.list.at(-1)?.created_at : undefined,
  ].flatMap((text) => (text === undefined ? [] : timeOf(text)));
  const begin = Math.max(Number.NEGATIVE_INFINITY, ...begins);
  return [...events.list.map(ofEvent), ...ofChanges(notices.list)]
    .filter(({ at }) => timeOf(at) >= begin)
    .toSorted((one, other) => timeOf(other.at) - timeOf(one.at));
}

const timeOf = (text: string) => Date.parse(text);

const ofEvent = ({ id, type, recorded_at, shift, reason, notices }: ShiftEvent): Announced => ({
  key: id,
  at: recorded_at,
  kind: type,
  userId: shift.user_id,
  shift,
  changes: [],
  notices,
  ...(reason !== undefined && { reason }),
});

/** One for each person that an edit concerns, however many channels notified them. */
const ofChanges = (notices: readonly ChangeNotice[]): readonly Announced[] =>
  [...Map.groupBy(notices, ({ edit, user_id }) => `${edit} ${user_id}`)].flatMap(
    ([key, [first, ...rest]]) =>
      first === undefined
        ? []
        : {
            key,
            at: first.created_at,
            kind: 'change' as const,
            userId: first.user_id,
            changes: first.changes,
            notices: [first, ...rest],
          },
  );
