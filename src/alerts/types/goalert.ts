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
  description: 'Tools that are set up for GoAlert, by its generic API.',
  problem: 'each dedup; without one each summary, without its marks of state',
  knownAs: ['GoAlert', 'generic'],
  guide: {
    steps: [
      'In the tool, replace the host of GoAlert by that of {url}; the rest of the address stays.',
      'As token set {token}, that of this integration; or adopt the one that the tool has, and leave it there.',
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
