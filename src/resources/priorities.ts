// Apart from what is declared with them: the dashboard's first page needs no more.
export const priorities = ['p1', 'p2', 'p3', 'p4', 'p5'] as const;
export const severities = ['sev1', 'sev2', 'sev3'] as const;

/** As people read it: `p1` as `P1`; empty if there is none. */
export const shownLabel = (value: string | null | undefined): string => value?.toUpperCase() ?? '';

/** In a sentence. */
export const labelText = (value: string | null | undefined): string => shownLabel(value) || 'none';
