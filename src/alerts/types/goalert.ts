import type { Tool } from '../reading/notation.ts';

/** As Uptime Kuma writes it: [Name] [Down] reason. The name may have brackets too. */
const NAMED = '/^\\[(.+?)\\] \\[[^\\[\\]]*(?:Up|Down|Pending|Maintenance)\\]/';
const WAS_NAMED = '/^\\[([^\\]]+)\\] \\[[^\\]]*(?:Up|Down|Pending|Maintenance)\\]/';
const keys = (named: string) => [
  ['dedup'],
  ['@query.dedup'],
  [`summary > take ${named}`],
  [`@query.summary > take ${named}`],
  ['summary > stem'],
  ['@query.summary > stem'],
];

export const goalert = {
  slug: 'goalert',
  name: 'GoAlert',
  description: 'Accepts events from tools that are configured for the generic API of GoAlert.',
  problem: 'each dedup, or each summary without its marks of state if there is no dedup',
  knownAs: ['GoAlert', 'generic'],
  guide: {
    steps: [
      'In the tool, replace the GoAlert host with the host of {url}. Keep the rest of the address.',
      'Set the token to {token}, the token of this integration. Or adopt the tool’s current token and do not change it.',
    ],
    snippets: [
      {
        file: 'address',
        text: '{origin}/api/v2/generic/incoming?token={token}',
      },
    ],
  },
  forms: [
    {
      title: ['summary', '@query.summary', 'details', '@query.details'],
      key: keys(NAMED),
      was: keys(WAS_NAMED),
      state: [{ at: ['action', '@query.action'], resolve: 'close', else: 'trigger' }],
      omit: ['token', 'integrationKey', 'integration_key', 'key'],
    },
  ],
} as const satisfies Tool;
