/** Does the work when it is first wanted, and answers the same from then on. */
export function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let begun: Promise<Value> | undefined;
  return () => {
    begun ??= work();
    return begun;
  };
}
