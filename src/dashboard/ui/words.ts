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
} as const;
