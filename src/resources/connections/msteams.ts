import { flag, optional, text } from '../declaration/field.ts';
import { teamsChannelIdIn } from './msteams-channel-id.ts';
import { teamsManifest } from './msteams-manifest.ts';
import type { Vendor } from './vendor.ts';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const example = '00000000-0000-4000-8000-000000000000';

/** Hosts of Microsoft: the token of the bot is sent there. */
export const teamsServiceHosts: readonly string[] = [
  'smba.trafficmanager.net',
  'smba.infra.gcc.teams.microsoft.com',
];
const hosts = teamsServiceHosts.map((host) => host.replaceAll('.', '\\.')).join('|');

export const msteams = {
  vendor: 'msteams',
  title: 'Microsoft Teams',
  doc: 'A single-tenant Microsoft Teams bot. It posts in channels, and receives button presses and commands at Pager’s public https address.',
  channels: ['msteams'],
  channelsOf: () => ['msteams'],
  receive: 'callbacks',
  lostWithoutCallbacks:
    'Posts arrive, but their buttons and commands do nothing. Without a public address, use a webhook of the Workflows app in policies instead.',
  settings: {
    app_id: text({
      doc: 'The Microsoft App ID of the bot, shown under “Configuration” of the Azure Bot.',
      pattern: `^${uuid}$`,
      example,
    }),
    tenant_id: text({
      doc: 'The App Tenant ID of the bot, shown on the same page. Other tenants cannot use the bot.',
      pattern: `^${uuid}$`,
      example,
    }),
    service_url: optional(
      text({
        doc: 'The address of the Bot Connector. Default: https://smba.trafficmanager.net/teams, which serves all regions. Government tenants (GCC) use https://smba.infra.gcc.teams.microsoft.com/teams.',
        max: 200,
        pattern: `^https://(?:${hosts})(?:/[A-Za-z0-9-]{1,40}){1,2}/?$`,
        example: 'https://smba.trafficmanager.net/teams',
      }),
    ),
    link_by_email: optional(
      flag({
        doc: 'Whether Pager recognizes members of the tenant by the e-mail address that Teams reports, if it belongs to exactly one active person. Default: true. If false, each person links their account once.',
        default: true,
      }),
    ),
  },
  secrets: {
    client_secret: text({
      doc: 'The value of a client secret of the bot’s app registration in Microsoft Entra. Microsoft shows the value only once. The secret expires.',
      max: 200,
      pattern: '^[\\x21-\\x7e]{16,200}$',
      sensitive: true,
    }),
  },
  check: [],
  setup: {
    title: 'How to create the bot',
    link: {
      href: 'https://portal.azure.com/#create/Microsoft.AzureBot',
      text: 'Create an Azure Bot',
    },
    steps: [
      'Choose the type “Single Tenant” and “Create new Microsoft App ID”. Under “Configuration”, copy the Microsoft App ID and the App Tenant ID.',
      'Next to the Microsoft App ID, press “Manage Password”, add a client secret, and copy its value.',
      'Under “Channels”, add “Microsoft Teams”.',
      'Save this connection. Its page then shows the manifest of the Teams app, and the address to enter as “Messaging endpoint” under “Configuration” of the bot.',
    ],
    note: 'Teams sends people’s actions to Pager, so Pager needs a public https address (PAGER_PUBLIC_URL). Without one, use a webhook of the Workflows app.',
  },
  callbackHelp:
    'In the Azure portal, enter this address as “Messaging endpoint” under “Configuration” of the bot.',
  manifestOf: ({ app_id }, publicUrl) => teamsManifest(String(app_id), publicUrl),
  rooms: {
    idIn: teamsChannelIdIn,
    unpostable:
      'to which the Teams bot cannot post, as far as Pager knows: the channel does not exist, or the app is not installed in its team.',
  },
  accountAt: 'settings.app_id',
  accountIdOf: ({ settings: { app_id, tenant_id } }) =>
    app_id === undefined ? null : `${tenant_id} ${app_id}`,
} as const satisfies Vendor;
