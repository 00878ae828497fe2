export const periods = ['week', 'fortnight', 'month'] as const;
export type Period = (typeof periods)[number];
