/** Local hours in which people sleep: from the first one of the evening until the first one of the day. */
export const nightHours = { from: 22, to: 7 } as const;
