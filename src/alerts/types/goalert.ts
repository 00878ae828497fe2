import type { Tool } from '../reading/notation.ts';

/** As Uptime Kuma writes it: [Name] [Down] reason. */
const NAMED = '/^\\[([^\\]]+)\\] \\[[^\\]]*(?:Up|Down|Pending|Maintenance)\\]/';

export const goalert = {
  slug: 'goalert',
  name: 'GoAlert',
  description: 'Tools that are set up for GoAlert, by its generic API.',
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
      key: [
        ['dedup'],
        ['@query.dedup'],
        [`summary > take ${NAMED}`],
        [`@query.summary > take ${NAMED}`],
        ['summary > stem'],
        ['@query.summary > stem'],
      ],
      state: [{ at: ['action', '@query.action'], resolve: 'close', else: 'trigger' }],
      omit: ['token', 'integrationKey', 'integration_key', 'key'],
    },
  ],
} as const satisfies Tool;
