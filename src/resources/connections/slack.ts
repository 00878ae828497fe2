import { flag, optional, text } from '../declaration/field.ts';
import { isSlackMemberId, slackChannelIdIn } from './slack-channel-id.ts';
import { slackManifest } from './slack-manifest.ts';
import type { Vendor } from './vendor.ts';

export const slack = {
  vendor: 'slack',
  title: 'Slack',
  doc: 'A Slack app in one workspace. It posts in channels and receives button presses and commands.',
  channels: ['slack'],
  channelsOf: () => ['slack'],
  receive: 'socket',
  settings: {
    link_by_email: optional(
      flag({
        doc: 'Whether Pager recognizes people by their e-mail address confirmed by Slack, if it belongs to exactly one active person. Default: true. Otherwise, people link their account with /pager link.',
        default: true,
      }),
    ),
  },
  secrets: {
    bot_token: text({
      doc: 'The bot token of the app, shown under “OAuth & Permissions”, such as xoxb-….',
      max: 300,
      pattern: '^xoxb-[0-9]{6,20}-[0-9]{6,20}-[A-Za-z0-9-]{10,200}$',
      example: 'xoxb-0123456789-0123456789-abcdefghijklmnop',
      sensitive: true,
    }),
    app_token: text({
      doc: 'An app-level token with the scope connections:write, such as xapp-…. Pager uses it to open the socket over which Slack sends people’s actions.',
      max: 300,
      pattern: '^xapp-[A-Za-z0-9-]{10,290}$',
      example: 'xapp-1-A0123456789-0123456789-abcdef',
      sensitive: true,
    }),
  },
  check: [],
  setup: {
    title: 'How to get the tokens from Slack',
    link: { href: 'https://api.slack.com/apps', text: 'Open your Slack apps' },
    steps: [
      'Press “Create New App”, “From a manifest”, choose the workspace, and paste the manifest below as JSON.',
      'Under “Install App”, install the app to the workspace. The page then shows the bot token, xoxb-….',
      'Under “Basic Information”, “App-Level Tokens”, generate a token with the scope connections:write: xapp-….',
    ],
    note: 'Slack sends people’s actions over a socket that Pager opens, so Pager needs no public address.',
  },
  manifest: slackManifest,
  rooms: {
    idIn: slackChannelIdIn,
    isUnlisted: isSlackMemberId,
    unpostable:
      'to which the Slack app cannot post, as far as Pager knows: the channel does not exist, is archived, or is private and the app is not in it. Write /invite @Pager there.',
  },
  accountAt: 'secrets.bot_token',
  // The numbers of the workspace and of the bot in it, which stay when the token is made anew.
  accountIdOf: ({ secrets: { bot_token } }) =>
    bot_token === undefined ? null : bot_token.split('-').slice(1, 3).join('-'),
} as const satisfies Vendor;
