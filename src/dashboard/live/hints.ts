/** What the stream says has changed; everything, where it does not know. */
export type Change = { readonly type: string } | 'everything';

const keys: Readonly<Record<string, readonly string[]>> = {
  incident: ['incidents'],
  // A list has the names of what it refers to.
  service: ['incidents'],
  oncall_schedule: ['on-calls'],
  team: ['teams', 'session'],
  user: ['session', 'users'],
};

/** Which questions to ask again, each once; null: all of them. */
export function staleAfter(changes: readonly Change[]): readonly (readonly string[])[] | null {
  if (changes.includes('everything')) return null;
  const stale = changes.flatMap((change) => keys[change === 'everything' ? '' : change.type] ?? []);
  return [...new Set(stale)].map((key) => [key]);
}

/** A hint as it comes; of what is not understood, everything may have changed. */
export function changeOf(data: string): Change {
  try {
    const { type } = JSON.parse(data);
    return typeof type === 'string' ? { type } : 'everything';
  } catch {
    return 'everything';
  }
}
