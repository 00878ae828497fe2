// What the address of an integration's page says besides its path; in the entry, so small.
export const integrationTabs = ['setup', 'events', 'mapping'] as const;
export type IntegrationTab = (typeof integrationTabs)[number];

export type IntegrationSearch = { readonly tab?: IntegrationTab };

/** The setup, unless it says otherwise. */
export function integrationSearch({ tab }: Record<string, unknown>): IntegrationSearch {
  const known = integrationTabs.find((one) => one === tab);
  return known === undefined || known === 'setup' ? {} : { tab: known };
}
