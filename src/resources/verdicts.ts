// What an incident turned out to be, as people say once it is resolved.
export const verdicts = ['real', 'false_alarm', 'nothing_to_do', 'unclear'] as const;
export type Verdict = (typeof verdicts)[number];
