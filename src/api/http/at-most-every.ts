/** For what strangers could have done as often as they like: whether it is time again. */
export function atMostEvery(ms: number): () => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const isTime = performance.now() - last >= ms;
    if (isTime) last = performance.now();
    return isTime;
  };
}
