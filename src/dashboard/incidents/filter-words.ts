export const filterWords = {
  any: 'Any',
  names: {
    priority: 'Priority',
    service: 'Service',
    responder: 'Responder',
    since: 'Opened in the last',
    verdict: 'Verdict',
    test: 'Tests',
  },
  ages: { '1h': 'hour', '24h': '24 hours', '7d': '7 days', '30d': '30 days' },
  noVerdict: 'None',
  tests: { only: 'Only tests', none: 'Left out' },
} as const;

export const lastDayWords = {
  opened: (count: number, time: string) =>
    count === 1
      ? `24 hours: 1 incident, at ${time}`
      : `24 hours: ${count.toLocaleString()} incidents, most at ${time}`,
} as const;
