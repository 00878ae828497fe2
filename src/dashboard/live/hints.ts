/** What the stream says has changed; everything, where it does not know. */
export type Change = { readonly type: string } | 'everything';

// A list has the names of what it refers to, and a person's page all that relies on them.
const keys: Readonly<Record<string, readonly string[]>> = {
  // An event that opened or changed it stands in the log of its integration.
  incident: ['incidents', 'integrations'],
  organization: ['session', 'channels', 'channel-connections', 'attention'],
  team: ['teams', 'users', 'session', 'search'],
  user: [
    ...['session', 'users', 'teams', 'on-calls', 'attention', 'incidents'],
    ...['calendar-feeds', 'search'],
  ],
  oncall_schedule: ['on-calls', 'attention', 'users', 'incidents', 'search'],
  escalation_policy: ['escalation-policies', 'on-calls', 'users', 'incidents', 'search'],
  service: ['services', 'incidents', 'users', 'search'],
  integration: ['integrations', 'incidents', 'attention', 'users', 'search'],
  playbook: ['playbooks', 'users', 'search'],
  alert_routing_rule: ['alert-rules', 'users', 'search'],
  outbound_webhook: ['outbound-webhooks', 'attention', 'users', 'search'],
};

/** Which questions to ask again, each once; null: all of them. */
export function staleAfter(changes: readonly Change[]): readonly (readonly string[])[] | null {
  if (changes.includes('everything')) return null;
  const stale = changes.flatMap((change) => keys[change === 'everything' ? '' : change.type] ?? []);
  return [...new Set(stale)].map((key) => [key]);
}

/** A hint as it comes; of what is not understood, everything may have changed. */
export function changeOf(data: string): Change {
  try {
    const { type } = JSON.parse(data);
    return typeof type === 'string' ? { type } : 'everything';
  } catch {
    return 'everything';
  }
}
