import { counted } from '../../resources/plural.ts';
import { words as incidents } from '../incidents/words.ts';

export const words = {
  title: 'Services',
  one: 'service',
  empty: {
    title: 'No services yet',
    text: 'A service is a part of your system, such as Checkout. Incidents belong to services.',
  },
  now: 'Status',
  open: (count: number) => counted(count, 'open incident'),
  atLeast: (count: number) => `${count} or more open incidents`,
  noneOpen: 'No open incidents',
  openIncidents: 'Open incidents',
  lastIncident: 'Last incident',
  noIncident: 'No incidents yet',
  number: incidents.number,
  integrations: 'Integrations',
  integrationsText: 'Alerts reach a service through its integrations.',
  noIntegrations: 'No integration sends alerts to this service.',
  createIntegration: 'Create integration',
  connected: (count: number) => counted(count, 'integration'),
} as const;
