// Why the disk takes nothing of what a command writes, in words that its operator can use.

const troubles: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota of this user is used up',
  EFBIG: 'the file is larger than its file system takes',
};

/** Null: it is something else. Of the disk of the database, PostgreSQL has words of its own. */
export function diskTrouble(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return troubles[code] ?? null;
}
