// What the addresses of the pages of policies say besides their path; in the entry, so small.
import { type RecordSearch, recordSearch } from '../records/search.ts';

/** A schedule that the form begins with as a target. */
export type PolicySearch = RecordSearch & { readonly schedule?: string };

export const policySearch = ({ schedule, ...rest }: Record<string, unknown>): PolicySearch => ({
  ...recordSearch(rest),
  ...(typeof schedule === 'string' && { schedule }),
});
