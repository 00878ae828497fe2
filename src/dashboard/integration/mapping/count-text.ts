// The counts of a trial, in sentences.
import type { Counts, Trial } from './trial.ts';

/** How many recoveries meet their problem, and how many keys there are; each as it was before too. */
export const countTexts = ({ now, proposed }: Pick<Trial, 'now' | 'proposed'>) => [
  recoveries(now, proposed),
  keys(now, proposed),
];

function recoveries(now: Counts, proposed: Counts): string {
  const before = metText(now, proposed.resolves);
  if (proposed.resolves === 0) return `No event would be a recovery; ${before}.`;
  const { resolves: all, resolves_met: met } = proposed;
  const subject = all === 1 ? 'recovery meets its problem' : 'recoveries meet their problem';
  return `${met} of ${all} ${subject}; ${before}.`;
}

function metText({ resolves, resolves_met: met }: Counts, proposed: number): string {
  if (resolves === 0) return 'there was none before';
  return resolves === proposed ? `${met} did before` : `${met} of ${resolves} did before`;
}

const keys = (now: Counts, proposed: Counts): string =>
  `${proposed.keys} different ${proposed.keys === 1 ? 'key' : 'keys'}; ${now.keys} before.`;
