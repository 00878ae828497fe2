// What is foreseen of one thing must not keep the rest from being answered.

/** Null when it fails. */
export function attempted<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
