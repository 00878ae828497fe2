/** What servers' clocks may differ by. */
export const clockSkew = { hours: 1 } as const;
