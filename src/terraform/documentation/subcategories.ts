// The groups of the registry's navigation.
const groups: Readonly<Record<string, readonly string[]>> = {
  'On call': ['escalation_polic', 'oncall', 'override', 'schedule', 'simulation', 'weekly_windows'],
  'People and access': ['team', 'user', 'notification_settings', 'api_key'],
  Organization: ['organization', 'channel', 'chat_channel'],
};

/** Of `pager_team_membership`: that of what its name begins with. Every other record is about alerts. */
export function subcategoryOf(typeName: string): string {
  const name = typeName.replace('pager_', '');
  const match = Object.entries(groups).find(([, names]) =>
    names.some((one) => name.startsWith(one)),
  );
  return match?.[0] ?? 'Alerts';
}
