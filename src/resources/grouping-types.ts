// The types whose tools send groups: Alertmanager, and what sends as it does.
export const groupingTypes: readonly string[] = [
  ...['alertmanager', 'grafana', 'loki', 'mimir', 'prometheus', 'signoz', 'thanos'],
  'victoriametrics',
];

export const sendsGroups = (slug: string): boolean => groupingTypes.includes(slug);
