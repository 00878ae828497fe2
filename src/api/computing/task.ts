// Wraps a computation as a task of a worker thread. Its refusals are returned as data, for an error
// that is thrown across threads loses its code.
import type { Problem } from '../../resources/declaration/resource.ts';
import { packed, unpacked } from '../../workers/clone.ts';
import { transferred } from '../../workers/transfer.ts';
import { type FailureCode, Refusal } from '../failures.ts';

type RefusalData = {
  readonly code: FailureCode;
  readonly message: string;
  readonly issues: readonly Problem[];
};
export type Outcome<Value> = { readonly value: Value } | { readonly refusal: RefusalData };

/** To be exported by the file of the tasks. */
export const asTask =
  <Input, Value>(work: (input: Input) => Value) =>
  async (input: Input): Promise<Outcome<Awaited<Value>>> => {
    try {
      return { value: packed(await work(unpacked(input))) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message, issues } = error;
      return { refusal: { code, message, issues } };
    }
  };

/** Returns the result as JSON text, which is faster to clone than an object. */
export const asTextTask = <Input>(work: (input: Input) => unknown) =>
  asTask(async (input: Input) => JSON.stringify(await work(input)));

/** Returns bytes with memory of their own, which are transferred. */
export const asBytesTask = <Input>(work: (input: Input) => Uint8Array) => {
  const task = asTask(work);
  return async (input: Input): Promise<Outcome<Uint8Array>> => {
    const outcome = await task(input);
    return 'value' in outcome ? transferred(outcome, [outcome.value]) : outcome;
  };
};
