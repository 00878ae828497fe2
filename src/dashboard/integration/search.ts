// What the address of an integration's page says besides its path; in the entry, so small.
export const integrationTabs = ['setup', 'events', 'mapping', 'settings'] as const;
/** Of the settings: they have an address, and no tab of their own. */
const settingsViews = ['edit', 'terraform'] as const;
const views = [...integrationTabs, ...settingsViews] as const;
export type IntegrationTab = (typeof integrationTabs)[number];
export type SettingsView = 'settings' | (typeof settingsViews)[number];
export type IntegrationView = IntegrationTab | SettingsView;

export const isOfSettings = (view: IntegrationView): view is SettingsView =>
  view === 'settings' || settingsViews.some((one) => one === view);

export type IntegrationSearch = { readonly tab?: IntegrationView };

/** The setup, unless it says otherwise. */
export function integrationSearch({ tab }: Record<string, unknown>): IntegrationSearch {
  const known = views.find((one) => one === tab);
  return known === undefined || known === 'setup' ? {} : { tab: known };
}
