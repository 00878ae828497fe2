import { text } from '../declaration/field.ts';
import { discordChannelIdIn } from './discord-channel-id.ts';
import type { Vendor } from './vendor.ts';

/** https://discord.com/developers/docs/topics/permissions */
const permissions = [
  10, // View Channel
  11, // Send Messages
  14, // Embed Links
  16, // Read Message History
  17, // Mention @everyone, @here, and All Roles
  35, // Create Public Threads
  38, // Send Messages in Threads
].reduce((all, bit) => all | (1n << BigInt(bit)), 0n);

export const discord = {
  vendor: 'discord',
  title: 'Discord',
  doc: 'A Discord bot. It posts in the channels of your servers, and receives button presses and commands.',
  channels: ['discord'],
  channelsOf: () => ['discord'],
  receive: 'callbacks',
  withoutCallbacks: 'socket',
  settings: {
    application_id: text({
      doc: 'The application ID of the app, shown under “General Information”.',
      max: 20,
      pattern: '^[0-9]{17,20}$',
      example: '845027738276462632',
    }),
    public_key: text({
      doc: 'The public key of the app, shown under “General Information”. Pager uses it to verify requests from Discord.',
      max: 64,
      pattern: '^[0-9a-f]{64}$',
      example: '3f1c7a5be0d24986a1b3c5d7e9f0123456789abcdef0123456789abcdef01234',
    }),
  },
  secrets: {
    bot_token: text({
      doc: 'The bot token of the app. Discord shows it once, after “Reset Token” under “Bot”.',
      max: 200,
      pattern: '^[A-Za-z0-9_-]{18,40}\\.[A-Za-z0-9_-]{4,12}\\.[A-Za-z0-9_-]{20,100}$',
      sensitive: true,
    }),
  },
  check: [],
  setup: {
    title: 'How to get these values from Discord',
    link: {
      href: 'https://discord.com/developers/applications',
      text: 'Open your Discord applications',
    },
    steps: [
      'Press “New Application” and name it Pager. “General Information” shows its application ID and public key.',
      'Under “Bot”, press “Reset Token” and copy the token.',
      'To let only yourself add the bot to servers, set “Install Link” to “None” under “Installation” and save. Then turn off “Public Bot” under “Bot”.',
      'Save this connection, open the invite link on its page, and choose your server.',
    ],
    note: 'Use the app only for Pager. Pager adds the command /pager, and sets the Interactions Endpoint URL if Discord can call this server.',
  },
  callbackHelp: 'Pager sets this address in the Discord app.',
  inviteUrl: ({ application_id }) => {
    const query = new URLSearchParams({
      client_id: String(application_id),
      scope: 'bot applications.commands',
      permissions: String(permissions),
    });
    return `https://discord.com/oauth2/authorize?${query}`;
  },
  rooms: {
    idIn: discordChannelIdIn,
    unpostable:
      'to which the Discord bot cannot post, as far as Pager knows: the channel does not exist, or the bot is not in its server or lacks a permission. The bot needs View Channel, Send Messages and Embed Links.',
  },
  accountAt: 'settings.application_id',
  accountIdOf: ({ settings: { application_id } }) =>
    typeof application_id === 'string' ? application_id : null,
} as const satisfies Vendor;
