/** What the timers of an incident do next if nobody acts, as the API answers it. */
export type Upcoming = {
  readonly at: string;
  readonly type: 'resolve' | 'expire' | 'quiet' | 'unmute' | 'unacknowledge' | 'step' | 'repeat';
  readonly text: string;
  readonly notices: readonly {
    readonly kind: string;
    readonly step: number | null;
    readonly person?: string;
    readonly chat?: string;
    readonly user_id: string | null;
    readonly deliverable: boolean;
  }[];
};

export type Paged = { readonly id: string | null; readonly name: string };

/** Who is reached by it: each once, people first. */
export function pagedBy({ notices }: Pick<Upcoming, 'notices'>): readonly Paged[] {
  const reached = notices.filter(({ deliverable }) => deliverable);
  const byName = new Map(
    reached.map(({ user_id, person, chat }) => {
      const name = person ?? chat ?? '';
      return [name, { id: user_id, name }];
    }),
  );
  return [...byName.values()]
    .filter(({ name }) => name !== '')
    .sort((a, b) => Number(a.id === null) - Number(b.id === null));
}

export const stepOf = ({ notices }: Upcoming): number | null =>
  notices.find(({ step }) => step !== null)?.step ?? null;
