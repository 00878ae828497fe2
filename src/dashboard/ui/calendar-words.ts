export const calendarWords = {
  link: 'Calendar link',
  create: 'Create calendar link',
  show: 'Show link',
  revoke: 'Revoke link',
  revokeTitle: 'Revoke calendar link?',
  revokeText: 'Calendars that use it stop showing shifts.',
} as const;
