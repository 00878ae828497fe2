// What Slack makes an app of: its name, what it may do, and how it hears of what people do.

/** The scopes of the bot token. Those that end in `history` send the app what people write (decision 0100). */
const botScopes = [
  'chat:write',
  'chat:write.public',
  'commands',
  'users:read',
  'users:read.email',
  'channels:read',
  'groups:read',
  'app_mentions:read',
  'channels:history',
  'groups:history',
  'im:history',
] as const;

/** As JSON it is pasted where Slack makes apps. */
export const slackManifest = {
  display_information: {
    name: 'Pager',
    description: 'Pages, and who acknowledged them',
  },
  features: {
    app_home: {
      home_tab_enabled: false,
      messages_tab_enabled: true,
      messages_tab_read_only_enabled: false,
    },
    bot_user: { display_name: 'Pager', always_online: true },
    slash_commands: [
      {
        command: '/pager',
        description: 'Who is on call; acknowledge, resolve, escalate and open incidents',
        usage_hint: 'who | ack 42 | page <service> <what is wrong> | help',
        should_escape: false,
      },
    ],
  },
  oauth_config: { scopes: { bot: botScopes } },
  settings: {
    event_subscriptions: {
      bot_events: ['app_mention', 'message.channels', 'message.groups', 'message.im'],
    },
    interactivity: { is_enabled: true },
    org_deploy_enabled: false,
    socket_mode_enabled: true,
    token_rotation_enabled: false,
  },
} as const;
