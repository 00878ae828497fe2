// A computation as a worker thread has it: its refusals come back as data, for a thrown one would
// lose its code on the way.
import type { Problem } from '../../resources/declaration/resource.ts';
import { packed, unpacked } from '../../workers/clone.ts';
import { moved } from '../../workers/moved.ts';
import { type FailureCode, Refusal } from '../failures.ts';

type RefusalSaid = {
  readonly code: FailureCode;
  readonly message: string;
  readonly issues: readonly Problem[];
};
export type Outcome<Value> = { readonly value: Value } | { readonly refusal: RefusalSaid };

/** To be exported by the file of the tasks. */
export const apart =
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

/** What it answers as the text of its JSON, which travels faster than what it says. */
export const apartAsText = <Input>(work: (input: Input) => unknown) =>
  apart(async (input: Input) => JSON.stringify(await work(input)));

/** What it answers as bytes with memory of their own, which are not copied. */
export const apartAsBytes = <Input>(work: (input: Input) => Uint8Array) => {
  const working = apart(work);
  return async (input: Input): Promise<Outcome<Uint8Array>> => {
    const outcome = await working(input);
    return 'value' in outcome ? moved(outcome, [outcome.value]) : outcome;
  };
};
