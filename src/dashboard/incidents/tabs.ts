export const tabs = ['open', 'resolved', 'all'] as const;
export type Tab = (typeof tabs)[number];

type Scope = { readonly tab: Tab; readonly team: string | undefined };

/** Open is where one is without saying so. */
export const tabOf = (text: unknown): Tab => tabs.find((tab) => tab === text) ?? 'open';

/** As the API takes it. */
export function queryOf({ tab, team }: Scope): Readonly<Record<string, string>> {
  return {
    ...(tab !== 'all' && { status: tab }),
    ...(team !== undefined && { team_id: team }),
  };
}
