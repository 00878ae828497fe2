// Who would be paged, as POST /simulate answers it for a policy alone.
export type SimulatedNotice = {
  readonly after_seconds: number;
  readonly kind: string;
  /** From 1; null: no step sends it. */
  readonly step: number | null;
  readonly channel: string;
  readonly person?: string;
  readonly route?: string;
  readonly chat?: string;
  readonly user_id: string | null;
  readonly deliverable: boolean;
  readonly reason: string | null;
};

export type Paged = {
  readonly channel: string;
  readonly name: string;
  readonly route: string | undefined;
  readonly userId: string | null;
  /** Why it does not arrive; null: it does. */
  readonly reason: string | null;
};

export type StepPages = {
  /** From 1. */
  readonly step: number;
  /** Null: it reaches nobody, so the next step runs in its place. */
  readonly afterMinutes: number | null;
  readonly pages: readonly Paged[];
  readonly reachesSomebody: boolean;
};

/** In the order of the steps, each as it runs first; also those before others that page nobody. */
export function stepPagesOf(notices: readonly SimulatedNotice[]): readonly StepPages[] {
  const paged = pagedSteps(notices);
  const numbers = Array.from({ length: paged.at(-1)?.step ?? 0 }, (_, index) => index + 1);
  return numbers.map(
    (number) =>
      paged.find(({ step }) => step === number) ?? {
        step: number,
        afterMinutes: null,
        pages: [],
        reachesSomebody: false,
      },
  );
}

function pagedSteps(notices: readonly SimulatedNotice[]): readonly StepPages[] {
  const pages = notices.filter(({ kind, step }) => kind === 'page' && step !== null);
  return [...Map.groupBy(pages, ({ step }) => step ?? 0)]
    .toSorted(([one], [other]) => one - other)
    .map(([step, own]) => {
      const first = Math.min(...own.map(({ after_seconds }) => after_seconds));
      const shown = own.filter(({ after_seconds }) => after_seconds === first);
      return {
        step,
        afterMinutes: Math.round(first / 60),
        pages: shown.map(pagedOf),
        reachesSomebody: shown.some(({ deliverable }) => deliverable),
      };
    });
}

const pagedOf = ({ channel, person, chat, route, user_id, reason }: SimulatedNotice): Paged => ({
  channel,
  name: person ?? chat ?? '',
  route,
  userId: user_id,
  reason,
});
