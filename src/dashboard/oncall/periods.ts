export const periods = ['week', 'fortnight', 'month', 'weekend'] as const;
export type Period = (typeof periods)[number];
