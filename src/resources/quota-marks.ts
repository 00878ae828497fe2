/** The shares of the monthly limit, in percent, at which admins are notified. */
export const quotaMarks = [80, 100] as const;
