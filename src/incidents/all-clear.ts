// The notice that an incident is over, to everybody who was paged for it.
import type { Incident, Intent } from './incident.ts';

/** What all of them have in common: they belong to no step, and leave after first pages. */
export const allClearFields = { kind: 'all_clear', step: -1, rank: 2 } as const satisfies Pick<
  Intent,
  'kind' | 'step' | 'rank'
>;

/** Of each recipient, one for each cycle; the recipient's key follows. */
export const allClearPrefix = ({
  id,
  escalation: { cycle },
}: Pick<Incident, 'id'> & { readonly escalation: Pick<Incident['escalation'], 'cycle'> }): string =>
  `${id}/${cycle}/all_clear/`;

/** Stands for the number where SQL fills it in. */
export const anyNumber = '{number}';

/** Why somebody gets it who was paged for an incident that was merged into this one. */
export const mergedWhy = (number: number | typeof anyNumber): string =>
  `Paged for INC-${number}, which was merged into this incident`;
