// Looking for a plain text is many times cheaper than following a regular expression.

/** What stands for itself: letters, digits, marks without a meaning, and escaped marks. */
const PLAIN = /^(?:[^\\^$.|?*+()[\]{}]|\\[^a-zA-Z0-9])$/su;
const PIECES = /\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|\{[0-9,]*\}|./gsu;

/**
 * The longest text that must be in whatever a valid expression matches; empty if none is known.
 * Groups are left out, and so are expressions with what needs more reading than this: flags,
 * quotations, characters by their number or property, choices outside of groups.
 */
export function literalIn(source: string): string {
  if (/\(\?|\\[QExpP0-9]/.test(source)) return '';
  const runs = [''];
  let depth = 0;
  for (const [piece] of source.matchAll(PIECES)) {
    if (piece === '|' && depth === 0) return '';
    if (piece === '(') depth += 1;
    if (piece === ')') depth -= 1;
    const last = runs.at(-1) ?? '';
    if (depth > 0 || !PLAIN.test(piece)) {
      // What may be there any number of times need not be there at all.
      if (/^[*?{]/.test(piece)) runs[runs.length - 1] = withoutLast(last);
      runs.push('');
    } else runs[runs.length - 1] = last + piece.replace('\\', '');
  }
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest));
}

const withoutLast = (text: string) => [...text].slice(0, -1).join('');
