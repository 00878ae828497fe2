// The counts of a trial, in sentences.
import type { Counts, Trial } from './trial.ts';

/** How many recoveries meet their problem, and how many keys there are; each as it was before too. */
export const countTexts = ({ now, proposed }: Pick<Trial, 'now' | 'proposed'>) => [
  recoveries(now, proposed),
  keys(now, proposed),
];

function recoveries(now: Counts, proposed: Counts): string {
  const before = metText(now, proposed.resolves);
  if (proposed.resolves === 0) return `No event would be a recovery (now ${before}).`;
  const { resolves: all, resolves_met: met } = proposed;
  const subject = all === 1 ? 'recovery matches its problem' : 'recoveries match their problem';
  return `${met} of ${all} ${subject} (now ${before}).`;
}

function metText({ resolves, resolves_met: met }: Counts, proposed: number): string {
  if (resolves === 0) return 'none';
  return resolves === proposed ? `${met}` : `${met} of ${resolves}`;
}

const keys = (now: Counts, proposed: Counts): string =>
  `${proposed.keys} different ${proposed.keys === 1 ? 'key' : 'keys'} (now ${now.keys}).`;
