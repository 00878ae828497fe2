// What the address of the archive says besides its path; in the entry, so small.
export type ArchiveSearch = { readonly kind?: string; readonly q?: string };

export const archiveSearch = ({ kind, q }: Record<string, unknown>): ArchiveSearch => ({
  ...(typeof kind === 'string' && { kind }),
  ...(q !== undefined && { q: String(q) }),
});
