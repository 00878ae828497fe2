export const words = {
  state: {
    triggered: 'Triggered',
    acknowledged: 'Acknowledged',
    resolved: 'Resolved',
    muted: 'Muted',
    merged: 'Merged',
  },
  retry: 'Retry',
  request: (id: string) => `Request ${id}`,
  loading: 'Loading',
  now: 'now',
  within: (time: string) => `in ${time}`,
  minutes: (count: number) => (count === 1 ? '1 minute' : `${count} minutes`),
} as const;
