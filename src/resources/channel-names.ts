/** Apart from the table of channels, which is too large for every page of the dashboard. */
export const channelNames = {
  phone: 'Phone call',
  sms: 'SMS',
  email: 'E-mail',
  whatsapp: 'WhatsApp',
  telegram: 'Telegram',
  'push-notification': 'Push notification',
  slack: 'Slack',
  msteams: 'Microsoft Teams',
  discord: 'Discord',
} as const;
