import { rings, traitsOf } from '../../resources/channels.ts';

const places = { chat: 'chat', email: 'address' } as const;
const placeOf = (channel: string): string => {
  const contact = traitsOf(channel)?.contact;
  return contact === 'chat' || contact === 'email' ? places[contact] : 'number';
};

export const words = {
  title: 'Channels',
  connections: 'Connections',
  connectionsText:
    'The accounts Pager uses to reach people and chats. If a channel has several, the first one that accepts a message sends it.',
  add: 'Add connection',
  addTitle: 'Add connection',
  vendor: 'Vendor',
  empty: 'No connections yet.',
  emptyText:
    'Add a mail server to send e-mail, a Telegram bot to page people in Telegram, a Slack app to post in Slack channels, or a Twilio account to call people and to send SMS and WhatsApp messages.',
  name: 'Name',
  nameOf: (vendor: string) => (vendor === 'Telegram' ? 'Telegram bot' : vendor),
  optional: (label: string) => `${label} (optional)`,
  sealed: 'Stored encrypted and never shown again.',
  secrets: 'Secrets',
  notSet: 'not set',
  stored: (ends: string | undefined) => (ends === undefined ? 'Set on' : `…${ends}, set on`),
  stays: 'Leave empty to keep the current value.',
  removeSecret: (label: string) => `Remove ${label}`,
  replace: 'Replace secrets',
  replaceText:
    'Use this after secrets are revoked or leaked. The new secrets must belong to the same account. For another account, add a connection.',
  settings: 'Settings',
  position: 'Order',
  positionHelp: 'The connection with the lowest number is used first.',
  enabled: 'Enabled',
  enabledHelp: 'A disabled connection sends no pages and receives no replies.',
  yes: 'Yes',
  no: 'No',
  health: {
    off: 'Disabled. It is not used.',
    waiting: 'Not checked yet. Run a test to check it.',
    ok: 'Connected.',
    degraded: 'Degraded',
    failing: 'Failing',
    since: 'since',
    unknown: 'The vendor rejects this connection.',
    notTaken: 'The vendor rejects messages.',
  },
  checked: 'Last checked',
  failingSince: 'Failing since',
  failedNow: 'Failed just now',
  usage: 'Usage',
  usageText:
    'Messages, SMS segments and call minutes that the vendor accepted this month and last month (UTC).',
  month: 'Month',
  messages: 'Messages',
  segments: 'Segments',
  minutes: 'Minutes',
  test: 'Test',
  testText: 'Checks the connection now and shows the vendor’s response.',
  testMessage: (channel: string, address: string) =>
    rings(channel)
      ? `Also call my number ${address}`
      : `Also send a message to my ${placeOf(channel)} ${address}`,
  noChat: 'To include a test message, verify a contact that uses this connection.',
  linkChat: 'My contacts',
  saveTitle: (name: string) => `Save ${name}?`,
  saveText: (channels: string) => `It is no longer used for ${channels}.`,
  save: 'Save',
  noEffects: 'This does not change who is paged.',
  archive: 'Archive',
  archiveText:
    'The connection stops sending pages and receiving replies. Contacts are kept, and work again with a connection to the same account. An admin can restore it.',
  archiveTitle: (name: string) => `Archive ${name}?`,
  archived: 'Archived',
  archivedText: 'Restore a connection to use it again.',
  restore: 'Restore',
  restoreOne: (name: string) => `Restore ${name}`,
  adminsOnly: 'Only admins can change connections.',
  channels: 'Channel health',
  channelsText: 'The channels that reach people and chats, and whether each one works.',
  usable: 'Ready.',
  usableByWebhook: 'Ready for incoming webhooks in policies.',
  isArchived: {
    title: 'This connection is archived',
    text: 'Change the records that use it, or restore it under Channels.',
  },
  notThere: {
    title: 'Connection not found',
    text: 'The connection was archived, or the address is wrong.',
  },
} as const;

/** Of fields whose names do not read well by themselves. */
export const fieldNames: Readonly<Record<string, string>> = {
  username: 'User name',
  from_email: 'Sender',
  bot_token: 'Bot token',
  app_token: 'App-level token',
  application_id: 'Application ID',
  public_key: 'Public key',
  link_by_email: 'Match people by e-mail',
  app_id: 'Microsoft App ID',
  tenant_id: 'App Tenant ID',
  service_url: 'Bot Connector address',
  client_secret: 'Client secret',
  phone_number_id: 'Phone number ID',
  business_account_id: 'WhatsApp Business Account ID',
  account_sid: 'Account SID',
  auth_token: 'Auth token',
  api_key_sid: 'API key SID',
  api_key_secret: 'API key secret',
  messaging_service_sid: 'Messaging service SID',
  from_phone: 'Caller number',
  from_sms: 'SMS sender number or name',
  from_whatsapp: 'WhatsApp sender number',
  content_sid: 'Content SID for pages in WhatsApp',
  notice_content_sid: 'Content SID for other notices in WhatsApp',
  allowed_prefixes: 'Allowed prefixes',
  calls_per_second: 'Calls per second',
  messages_per_second: 'SMS per second',
  sms_actions: 'Actions allowed by SMS reply',
};

/** Of the values of a choice, those that do not read well by themselves. */
export const valueNames: Readonly<Record<string, string>> = {
  starttls: 'STARTTLS',
  tls: 'TLS',
};

export const manifestWords = {
  title: 'Manifest',
  text: 'The vendor creates the app from this manifest. If a feature is missing, replace the manifest in the app’s settings and reinstall the app.',
  label: 'App manifest',
};

export const inviteWords = {
  title: 'Invite link',
  text: 'Open this link while you are signed in to the vendor, and choose a server for the bot. To grant missing permissions, open it again.',
  label: 'Invite link',
};

export const receiveWords = {
  title: 'Replies and receipts',
  ways: {
    socket: 'Replies arrive over a socket that Pager opens.',
    poll: 'Pager fetches replies, and delivery receipts if the vendor has them.',
    callbacks: 'The vendor calls Pager at these addresses.',
    nothing: 'Pager receives no replies or receipts. Buttons in messages open Pager.',
  },
};
