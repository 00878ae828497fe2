// When something is tried.

/** Null: the time that is proposed, mostly now. */
export type When = { readonly at: string | undefined } | null;

/** What is picked is complete. */
export const isWhole = (when: When): boolean => when === null || when.at !== undefined;

/** For a request: no time if none is picked. */
export const atOf = (when: When): { readonly at?: string } =>
  when?.at === undefined ? {} : { at: when.at };
