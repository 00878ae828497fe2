// For whom a computation of a request runs.
import type { TaskRequester } from '../../workers/pool.ts';
import type { Call, Caller } from '../route.ts';

/** A caller's computations are counted together. */
export const requesterOf = ({ organizationId, kind, id }: Caller): TaskRequester => ({
  organizationId,
  caller: `${kind}:${id}`,
});

/** A request whose sender has gone is not computed. */
export const taskRequester = ({
  caller,
  signal,
}: Pick<Call, 'caller' | 'signal'>): TaskRequester => ({
  ...requesterOf(caller),
  signal,
});
