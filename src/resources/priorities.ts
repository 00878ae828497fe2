// Apart from what is declared with them: the dashboard's first page needs no more.
export const priorities = ['p1', 'p2', 'p3', 'p4', 'p5'] as const;
export const severities = ['sev1', 'sev2', 'sev3'] as const;

/** In a sentence: `p1` as `P1`. */
export const labelText = (value: string | null | undefined): string =>
  value?.toUpperCase() ?? 'none';
