/** Waits for the work to end; after that time it calls `giveUp`, which must make it end. */
export async function withDeadline(
  ms: number,
  work: Promise<unknown>,
  giveUp: () => void,
): Promise<void> {
  const timer = setTimeout(giveUp, ms);
  try {
    await work;
  } finally {
    clearTimeout(timer);
  }
}
