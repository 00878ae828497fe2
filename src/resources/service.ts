import { description, name } from './declaration/field.ts';
import { resource } from './declaration/resource.ts';

export const service = resource({
  name: 'service',
  table: 'services',
  route: 'services',
  doc: 'A part of a system that incidents belong to.',
  fields: {
    name: name('The name of the service, shown on incidents and in notifications.'),
    description: description('service'),
  },
  lostByReplacement:
    'Integrations that still point to the archived service drop their events. Set create_before_destroy in its lifecycle.',
});
