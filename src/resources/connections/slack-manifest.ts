// What Slack makes an app of: its name, what it may do, and how it hears of what people do.

/** The scopes of the bot token. None reads what people write. */
const botScopes = [
  'chat:write',
  'chat:write.public',
  'commands',
  'users:read',
  'users:read.email',
  'channels:read',
  'groups:read',
] as const;

/** As JSON it is pasted where Slack makes apps. */
export const slackManifest = {
  display_information: {
    name: 'Pager',
    description: 'Pages, and who acknowledged them',
  },
  features: {
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
    interactivity: { is_enabled: true },
    org_deploy_enabled: false,
    socket_mode_enabled: true,
    token_rotation_enabled: false,
  },
} as const;
