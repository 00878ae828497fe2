// Who can be asked to cover a shift.
import { queryLimits } from '../limits/queries.ts';
import type { Layer } from './schedule.ts';

type Candidates = {
  readonly layers: readonly Pick<Layer, 'users'>[];
  /** Whose shift it is, and who asks. */
  readonly except: readonly string[];
  readonly isActive: (userId: string) => boolean;
};

/** The other active people of the layers, in their order. */
export const coverCandidates = ({ layers, except, isActive }: Candidates): readonly string[] =>
  [...new Set(layers.flatMap(({ users }) => users.flatMap((id) => id ?? [])))]
    .filter((id) => !except.includes(id) && isActive(id))
    .slice(0, queryLimits.coverCandidates);
