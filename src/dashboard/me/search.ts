// What the address of one's own page says besides its path; in the entry, so small.
export const meTabs = ['paging', 'security'] as const;

/** How one is paged, unless it says otherwise. */
export const meSearch = ({ tab }: Record<string, unknown>): { readonly tab?: 'security' } =>
  tab === 'security' ? { tab } : {};
