// Keys of other services, which an integration can adopt so that tools keep theirs.
import type { Static } from 'typebox';
import { accessLimits } from '../limits/access.ts';
import { instant } from './declaration/answer.ts';
import { choice, id, objectOf, optional, text } from './declaration/field.ts';
import { organizationResource } from './declaration/resource.ts';

/** The services whose clients can be sent here by their address alone. */
export const keyKinds = [
  'pagerduty',
  'opsgenie',
  'victorops',
  'grafana_oncall',
  'goalert',
  'alertmanager',
] as const;
export type KeyKind = (typeof keyKinds)[number];

const min = accessLimits.adoptedKeyMin;
const max = accessLimits.adoptedKeyMax;

/** By which people recognise a key. */
export const endOf = (key: string): string => key.slice(-4);

/** What could be adopted at all. */
export const keyForm = new RegExp(`^[!-~]{${min},${max}}$`);

const shown = {
  kind: choice(keyKinds, { doc: 'The service that issued the key.' }),
};

const fields = {
  ...shown,
  key: text({
    doc: 'The key as tools send it. It is stored as a digest and never returned.',
    min,
    max,
    pattern: '^[!-~]*$',
    sensitive: true,
    unanswered: { endIn: 'last4' },
  }),
};

const doc =
  'A key of another service that an integration accepts. A tool keeps its key, and you change only the host name in the tool.';

/** Its integration stands in the path. */
export const integrationKeyInput = objectOf(fields, doc);
export type IntegrationKeyFields = Static<typeof integrationKeyInput>;

const integrationId = id('The integration that receives events with the key.', {
  to: 'integration',
  within: 'organization',
});

export const integrationKey = {
  ...organizationResource({
    noun: 'key',
    name: 'integration_key',
    table: 'integration_keys',
    doc,
    route: 'integrations/:integration_id/adopted-keys',
    fields: { integration_id: integrationId, ...fields },
    neverChanges: true,
  }),
  output: objectOf(
    {
      id: id('The id of the key. It is not secret and never changes.'),
      integration_id: integrationId,
      ...shown,
      last4: text({
        doc: 'The last four characters of the key, to identify it.',
        max: 4,
      }),
      created_at: instant('When the key was adopted.'),
      last_used_at: optional(
        instant('When the key was last used, to the minute. Absent if it was never used.'),
      ),
    },
    doc,
  ),
};
