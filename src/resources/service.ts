import { description, name } from './declaration/field.ts';
import { resource } from './declaration/resource.ts';

export const service = resource({
  name: 'service',
  table: 'services',
  route: 'services',
  doc: 'A part of a system that incidents are attributed to.',
  fields: {
    name: name('The name of the service, as incidents and notifications show it.'),
    description: description('service'),
  },
  lostByReplacement:
    'Events of integrations that still point to the archived service are dropped: set create_before_destroy in its lifecycle.',
});
