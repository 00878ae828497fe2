/** A sensitive text as it is kept: who opens it is storage's matter. */
export type Sealed = { readonly sealed: string };

/** Tells it apart, sealed or not. */
export const textOf = (text: string | Sealed): string => (isSealed(text) ? text.sealed : text);

export const isSealed = (value: unknown): value is Sealed =>
  typeof value === 'object' && value !== null && 'sealed' in value;
