// What the address of an integration's page says besides its path; in the entry, so small.
export const integrationTabs = ['setup', 'events', 'mapping', 'settings'] as const;
/** Editing the settings has an address, and no tab of its own. */
const views = [...integrationTabs, 'edit'] as const;
export type IntegrationTab = (typeof integrationTabs)[number];

export type IntegrationView = (typeof views)[number];

export type IntegrationSearch = { readonly tab?: IntegrationView };

/** The setup, unless it says otherwise. */
export function integrationSearch({ tab }: Record<string, unknown>): IntegrationSearch {
  const known = views.find((one) => one === tab);
  return known === undefined || known === 'setup' ? {} : { tab: known };
}
