export const calendarWords = {
  link: 'Calendar link',
  create: 'Create a calendar link',
  show: 'Show the link',
  revoke: 'Revoke',
  revokeTitle: 'Revoke this calendar link?',
  revokeText: 'Calendars that use it show no more shifts.',
} as const;
