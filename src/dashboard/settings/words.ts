import { rings, traitsOf } from '../../resources/channels.ts';

export const words = {
  title: 'Channels',
  connections: 'Connections',
  connectionsText:
    'Accounts at vendors by which people are reached. Of several for one channel, the first that takes a message sends it.',
  add: 'Add a connection',
  addTitle: 'Add a connection',
  vendor: 'Vendor',
  empty: 'There is no connection yet.',
  emptyText:
    'Mails need none. To page people in Telegram, add a bot; to post in channels of Slack, an app; to call people and send SMS, an account at Twilio.',
  name: 'Name',
  nameOf: (vendor: string) => (vendor === 'Telegram' ? 'Telegram bot' : vendor),
  optional: (label: string) => `${label} (optional)`,
  sealed: 'It is stored sealed and never shown again.',
  secrets: 'Secrets',
  notSet: 'not set',
  stored: (ends: string) => `…${ends}, set on`,
  stays: 'Leave it empty to leave it as it is.',
  removeSecret: (label: string) => `Remove: ${label}`,
  replace: 'Replace secrets',
  replaceText:
    'For what was revoked or became known. They stay those of the same account: for another one, add a connection.',
  settings: 'Settings',
  position: 'Order',
  positionHelp: 'The connection with the lowest number is used first.',
  enabled: 'Enabled',
  enabledHelp: 'Otherwise nobody is paged by it, and what people write to it is not read.',
  yes: 'Yes',
  no: 'No',
  health: {
    off: 'Switched off: it is not used.',
    waiting: 'Not checked yet: the vendor has not answered. A test asks it now.',
    ok: 'Accepted by the vendor.',
    degraded: 'Degraded',
    failing: 'Failing',
    since: 'since',
    unknown: 'The vendor does not accept it.',
    notTaken: 'Notices are not accepted.',
  },
  checked: 'Last checked',
  failingSince: 'Failing since',
  usage: 'Usage',
  usageText:
    'What the vendor took, this month and last month (UTC): messages, segments of SMS, minutes of calls.',
  month: 'Month',
  messages: 'Messages',
  segments: 'Segments',
  minutes: 'Minutes',
  test: 'Test',
  testText: 'Calls the vendor now, and shows what it answers.',
  testMessage: (channel: string, address: string) =>
    rings(channel)
      ? `Call my number ${address} too`
      : `Send a message to my ${traitsOf(channel)?.contact === 'chat' ? 'chat' : 'number'} ${address} too`,
  noChat:
    'Once you have verified a contact that this connection serves, a message can be sent there too.',
  linkChat: 'My contacts',
  archive: 'Archive',
  archiveText:
    'Nobody is paged by it any more, and what people write to it is not read. Contacts stay: with a connection for the same account they work again. An admin can restore it.',
  archiveTitle: (name: string) => `Archive ${name}?`,
  archived: 'Archived',
  archivedText: 'A restored connection is used again.',
  restore: 'Restore',
  restoreOne: (name: string) => `Restore ${name}`,
  adminsOnly: 'Admins change it.',
  channels: 'By channel',
  channelsText: 'The channels that reach people and chats, and how well each works.',
  usable: 'Usable.',
  usableByWebhook: 'Usable by an incoming webhook in a policy.',
  isArchived: {
    title: 'The connection is archived',
    text: 'What relied on it has to be changed, or it is restored under Channels.',
  },
  notThere: {
    title: 'There is no such connection',
    text: 'It was archived, or the address is wrong.',
  },
} as const;

/** Of fields whose names do not read well by themselves. */
export const fieldNames: Readonly<Record<string, string>> = {
  bot_token: 'Bot token',
  app_token: 'App-level token',
  link_by_email: 'Know people by their e-mail',
  account_sid: 'Account SID',
  auth_token: 'Auth token',
  api_key_sid: 'API key SID',
  api_key_secret: 'API key secret',
  messaging_service_sid: 'Messaging service SID',
  from_phone: 'Number that calls come from',
  from_sms: 'Number or name that SMS come from',
  allowed_prefixes: 'Allowed prefixes',
  calls_per_second: 'Calls a second',
  messages_per_second: 'SMS a second',
  sms_actions: 'What answers by SMS may do',
};

export const slackWords = {
  manifest: 'Manifest',
  manifestText:
    'What Slack makes the app of. If the app does less than it should, paste this under “App Manifest” in its settings, as JSON, and install it anew.',
  manifestLabel: 'App manifest',
};

export const receiveWords = {
  title: 'What comes back',
  ofSms: 'For replies, set that of SMS at the number or messaging service, too.',
  ways: {
    socket: 'What people do arrives over a socket that Pager opens.',
    poll: 'Pager fetches what people answer, and what became of pages where the vendor knows that.',
    callbacks: 'The vendor calls Pager at these addresses, which it is given with each request.',
    nothing: 'The vendor sends nothing back. Buttons lead to Pager itself.',
  },
};
