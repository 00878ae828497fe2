import type { Verdict } from '../../resources/verdicts.ts';

export const verdictNames: Readonly<Record<Verdict, string>> = {
  real: 'Real',
  false_alarm: 'False alarm',
  nothing_to_do: 'Nothing to do',
  unclear: 'Unclear',
};

export const words = {
  verdict: 'Verdict',
  question: 'Was this incident real?',
  questionFor: (number: number) => `Was INC-${number} real?`,
  set: 'Set verdict',
  by: 'by',
  change: 'Change',
  remove: 'Remove verdict',
  keep: 'Cancel',
  number: (number: number) => `INC-${number}`,
  morning: (count: string) =>
    count === '1'
      ? '1 incident ended since yesterday morning. Was it real?'
      : `${count} incidents ended since yesterday morning. Were they real?`,
  done: 'All answered',
  ended: 'ended',
  dismiss: 'Dismiss',
  answered: (number: number, verdict: Verdict) => `INC-${number}: ${verdictNames[verdict]}`,
  mergedInto: 'This incident was merged into another one.',
} as const;
