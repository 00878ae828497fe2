// What the addresses of records' pages say besides their path; in the entry, so small.
export type RecordsSearch = { readonly show?: 'archived'; readonly q?: string };

export const recordsSearch = ({ show, q }: Record<string, unknown>): RecordsSearch => ({
  ...(show === 'archived' && { show }),
  ...(q !== undefined && { q: String(q) }),
});

export type RecordSearch = { readonly tab?: string };

/** Which tabs there are depends on the kind: an unknown one shows the first. */
export const recordSearch = ({ tab }: Record<string, unknown>): RecordSearch =>
  typeof tab === 'string' ? { tab } : {};
