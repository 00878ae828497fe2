// Runs in worker threads what would delay pages.

import { packed, unpacked } from '../../workers/clone.ts';
import type { Pool, Refused, TaskRequester } from '../../workers/pool.ts';
import { type FailureCode, Refusal } from '../failures.ts';
import type { Call, Caller } from '../route.ts';
import type { ComputationName } from './computations.ts';

export type Computations = typeof import('./tasks.ts');
type Name = ComputationName;
type Input<N extends Name> = Parameters<Computations[N]>[0];
type Value<N extends Name> = Extract<
  Awaited<ReturnType<Computations[N]>>,
  { value: unknown }
>['value'];

/** Throws a `Refusal`: that of the computation, or that its queue is full. */
export type RunTask = <N extends Name>(
  requester: TaskRequester,
  name: N,
  input: Input<N>,
) => Promise<Value<N>>;

export type Compute = RunTask & {
  /** That its queue is full, before the input is known, which counts as refused; null: it is not. */
  readonly refuseEarly: (requester: TaskRequester, name: Name) => Refusal | null;
};

const refusals: Readonly<Record<Refused, readonly [FailureCode, string, number?]>> = {
  caller_busy: [
    'rate_limited',
    'Too many of your computations are running. Try again when they finish.',
    1,
  ],
  busy: ['rate_limited', 'The server is busy with other computations. Try again.', 5],
  too_slow: ['too_much_work', 'The computation takes too long. Request less data.'],
  too_large: ['too_much_work', 'The computation needs too much memory. Request less data.'],
  gone: ['rate_limited', 'The client closed this request.'],
};

export function computerOf(poolFor: (name: Name) => Pool<Computations>): Compute {
  async function compute<N extends Name>(
    requester: TaskRequester,
    name: N,
    input: Input<N>,
  ): Promise<Value<N>> {
    const result = await poolFor(name).run(requester, name, packed(input));
    if ('refused' in result) throw refusalOf(result.refused);
    const outcome = unpacked(result.value);
    if ('value' in outcome) return outcome.value;
    const { code, ...details } = outcome.refusal;
    throw new Refusal(code, details);
  }
  function refuseEarly(requester: TaskRequester, name: Name): Refusal | null {
    const refused = poolFor(name).refuseEarly(requester, name);
    return refused && refusalOf(refused);
  }
  return Object.assign(compute, { refuseEarly });
}

function refusalOf(refused: Refused): Refusal {
  const [code, message, retryAfterSeconds] = refusals[refused];
  return new Refusal(code, { message, ...(retryAfterSeconds && { retryAfterSeconds }) });
}

/** An answer that was written as JSON where it was computed. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

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
