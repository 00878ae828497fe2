// What the provider computes within a configuration: `provider::pager::<name>(...)`.
import type { Type, Value } from '../protocol/value.ts';

export type ProviderFunction = {
  readonly name: string;
  readonly doc: string;
  readonly parameters: readonly Parameter[];
  readonly returns: Type;
  /** Pure. All arguments are known, and none of them is null. */
  readonly call: (args: readonly Value[]) => Result;
};

export type Parameter = {
  readonly name: string;
  readonly type: Type;
  readonly doc: string;
};

/** `argument`: the number of the wrong one, from 0. */
export type Result =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly argument: number; readonly message: string };
