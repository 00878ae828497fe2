// What Teams makes an app of: the bot, and where it can be added. Teams takes it in a zip file with two icons.

/** With the bot’s own id as that of the app, so that the same bot is always the same app. */
export const teamsManifest = (appId: string, publicUrl: string) =>
  ({
    $schema: 'https://developer.microsoft.com/json-schemas/teams/v1.16/MicrosoftTeams.schema.json',
    manifestVersion: '1.16',
    version: '1.0.0',
    id: appId,
    developer: {
      name: 'Pager',
      websiteUrl: publicUrl,
      privacyUrl: publicUrl,
      termsOfUseUrl: publicUrl,
    },
    name: { short: 'Pager', full: 'Pager' },
    description: {
      short: 'Pages, and who acknowledged them',
      full: 'Posts incidents to channels, with buttons that acknowledge, resolve and escalate them.',
    },
    icons: { color: 'color.png', outline: 'outline.png' },
    accentColor: '#FFFFFF',
    bots: [
      {
        botId: appId,
        scopes: ['team', 'personal'],
        supportsFiles: false,
        isNotificationOnly: false,
        commandLists: [
          {
            scopes: ['team', 'personal'],
            commands: [
              { title: 'who', description: 'Shows who is on call' },
              { title: 'ack', description: 'Acknowledges an incident by its number' },
              { title: 'resolve', description: 'Resolves an incident by its number' },
              { title: 'page', description: 'Opens an incident on a service' },
              { title: 'link', description: 'Links your account to Pager' },
              { title: 'help', description: 'Lists the commands' },
            ],
          },
        ],
      },
    ],
    permissions: ['identity', 'messageTeamMembers'],
    validDomains: [],
  }) as const;
