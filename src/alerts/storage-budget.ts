// How much of what comes is stored. Each organization has a budget for a day, so that no token can
// fill the disk; docs/decisions/0073-storage-budget.md.

/** Bytes that were stored whole today. */
export type Spent = { readonly integration: number; readonly organization: number };

/**
 * How many more bytes an integration may store. As with all that is shared (decision 0032), it has
 * at most as much as it leaves free for the others. `budget`: of its organization; null: no limit.
 */
export const leftOf = (budget: number | null, { integration, organization }: Spent): number =>
  budget === null ? Number.POSITIVE_INFINITY : Math.max(0, budget - organization - integration);

/**
 * What an event of so many bytes takes of that; null: it does not fit, and is cut. What is left of
 * one that is cut takes nothing of the budget, or a flood would spend that of everybody else.
 */
export const spentBy = (size: number, left: number): number | null => (size <= left ? size : null);
