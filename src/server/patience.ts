/** Waits for the work to end; when that takes too long, `lost` is to see that it does. */
export async function withPatience(
  ms: number,
  work: Promise<unknown>,
  lost: () => void,
): Promise<void> {
  const timer = setTimeout(lost, ms);
  try {
    await work;
  } finally {
    clearTimeout(timer);
  }
}
