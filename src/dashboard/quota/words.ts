const number = (count: number) => count.toLocaleString();

export const words = {
  title: 'Alert quota',
  text: 'Notifications to people, and shift notifications to chat channels. Webhook calls do not count.',
  used: (used: number, limit: number) =>
    `${number(used)} of ${number(limit)} ${limit === 1 ? 'notification' : 'notifications'} sent`,
  sent: (used: number) =>
    used === 1 ? '1 notification sent' : `${number(used)} notifications sent`,
  noLimit: 'There is no monthly limit.',
  near: 'At least 80% of the limit is used.',
  reached: 'The limit is reached.',
  projected: (count: number) => `About ${number(count)} expected by the end of the month.`,
  over: (count: number) =>
    `About ${number(count)} expected by the end of the month, more than the limit.`,
  tooEarly: 'The forecast appears after the first day of the month.',
  resets: 'Resets on',
  bar: 'Share of the limit used',
  mark: (share: number) => `${share}%`,
  byChannel: 'By channel',
  nothing: 'Nothing was sent this month.',
  atLimit: 'At the limit',
  stopsShifts:
    'Shift notifications to people and channels stop until the next month. Incidents still page people.',
  stopsPages:
    'Shift notifications and pages to people stop until the next month, because this server sets PAGER_HARD_ALERT_LIMIT. Pages to chat channels are still sent.',
  admins: 'Admins are notified at 80% and at 100%.',
  change: 'Change the limit',
  set: 'Set a limit',
} as const;
