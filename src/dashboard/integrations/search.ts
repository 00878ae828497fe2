// What the address of a new integration says besides its path; in the entry, so small.
export type NewIntegrationSearch = { readonly type?: string; readonly q?: string };

export const newIntegrationSearch = ({
  type,
  q,
}: Record<string, unknown>): NewIntegrationSearch => ({
  ...(typeof type === 'string' && { type }),
  ...(q !== undefined && { q: String(q) }),
});
