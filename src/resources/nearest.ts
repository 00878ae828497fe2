// What somebody probably meant who wrote a word that is not known.

/** The known word that fewest letters tell apart; null where none is much like it. */
export function nearest(word: string, known: readonly string[]): string | null {
  const [first] = alike(word, known);
  return first ?? null;
}

/** Known words that fewest letters tell apart, then those that begin with it, or go on with it. */
export function nearestNames(word: string, known: readonly string[], most = 3): readonly string[] {
  const begins = (each: string) => each.startsWith(word) || `-${each}`.includes(`-${word}`);
  const longer = word.length < PART_MIN ? [] : known.filter(begins);
  const shorter = known.filter((each) => each.length >= PART_MIN && word.startsWith(`${each}-`));
  return [...new Set([...alike(word, known), ...longer, ...shorter])].slice(0, most);
}

/** So many letters begin few names. */
const PART_MIN = 3;

function alike(word: string, known: readonly string[]): readonly string[] {
  const lettersMax = Math.max(1, Math.floor(word.length / 3));
  return known
    .map((each) => ({ each, letters: editDistance(word, each) }))
    .filter(({ letters }) => letters <= lettersMax)
    .sort((one, other) => one.letters - other.letters)
    .map(({ each }) => each);
}

/** Levenshtein's: letters to add, to leave out or to change. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [at, other] of [...to].entries()) {
      const changed = (row[at] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
