import { counted } from '../../resources/plural.ts';

export const words = {
  title: 'Integrations',
  one: 'integration',
  empty: {
    title: 'No integrations yet',
    text: 'An integration receives the alerts of one monitoring tool. Create one to connect your first tool.',
  },
  states: {
    waiting: 'Waiting for the first event',
    live: 'Live',
    silent: 'Silent',
    dropping: 'Dropping events',
    disabled: 'Disabled',
  },
  lastEvent: 'Last event',
  events: (count: number, time: string) =>
    count === 1
      ? `24 hours: 1 event, at ${time}`
      : `24 hours: ${count.toLocaleString()} events, most at ${time}`,
  noEvents: '24 hours: no events',
  failed: (count: number) => `${count.toLocaleString()} failed`,
  countedFrom: (time: string) => `counted since ${time}`,
  choose: 'Choose a tool',
  chooseText: 'The type decides how events are read. You can change it later.',
  searchTypes: 'Search tools',
  types: (count: number) => counted(count, 'tool'),
  noType: {
    title: 'No matches',
    text: 'Use Webhook for any tool that sends JSON, and E-mail for any tool that sends e-mail.',
  },
  clear: 'Clear search',
  type: 'Type',
  otherType: 'Choose another tool',
} as const;
