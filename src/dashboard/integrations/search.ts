// What the address of a new integration says besides its path; in the entry, so small.
export type NewIntegrationSearch = {
  readonly type?: string;
  readonly q?: string;
  /** The service that it is for. */
  readonly service?: string;
};

export const newIntegrationSearch = ({
  type,
  q,
  service,
}: Record<string, unknown>): NewIntegrationSearch => ({
  ...(typeof type === 'string' && { type }),
  ...(q !== undefined && { q: String(q) }),
  ...(typeof service === 'string' && { service }),
});
