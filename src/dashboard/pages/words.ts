import { nightHours } from '../../resources/night-hours.ts';
import { hourTime } from '../ui/clock-time.ts';
import type { State } from './filters.ts';

const plural = (count: number) => (count === 1 ? '1 page' : `${count.toLocaleString()} pages`);

const states: Readonly<Record<State, string>> = {
  sent: 'sent',
  pending: 'pending',
  failed: 'failed',
  cancelled: 'not sent',
};

export const words = {
  title: 'Pages',
  search: 'Incident number',
  own: 'Your own pages.',
  ofTeams: 'Your own pages, and those about incidents of your teams.',
  all: 'All pages to people and chats.',
  csv: 'Download CSV',
  csvTitle: 'The newest pages of this list, for spreadsheets',
  filters: {
    person: 'Person',
    channel: 'Channel',
    state: 'State',
    from: 'From',
    to: 'To',
    teams: 'Teams',
    service: 'Service',
    integration: 'Integration',
    night: 'Time',
    test: 'Tests',
  },
  night: `at night (${hourTime(nightHours.from)} – ${hourTime(nightHours.to)} in the person’s time zone)`,
  tests: { only: 'only tests', none: 'left out' },
  any: 'Any',
  states: { sent: 'Sent', pending: 'Pending', failed: 'Failed', cancelled: 'Not sent' },
  state: (count: number, state: State) => `${count.toLocaleString()} ${states[state]}`,
  days: 'Pages by day',
  /** Of one bar. */
  day: (date: string, total: number, parts: readonly string[]) =>
    total === 0 ? `${date}: no pages` : `${date}: ${plural(total)}, ${parts.join(', ')}`,
  span: (from: string, to: string, total: number) => `${from} – ${to}: ${plural(total)}`,
  notAll: (from: string) => `Only pages since ${from} are counted.`,
  step: (step: number) => `Step ${step}`,
  kinds: {
    nobody_paged: 'Nobody could be paged, admins notified',
    not_all_paged: 'Not everyone could be paged, admins notified',
  } as Readonly<Record<string, string>>,
  number: (number: number) => `INC-${number}`,
  more: 'Load more',
  failed: 'The pages could not be loaded',
  stale: 'Not up to date. The last update failed.',
  empty: {
    title: 'No pages yet',
    text: 'Every page to a person or chat appears here, with its result.',
  },
  noneSoFar: {
    title: 'No matching pages so far',
    text: 'Older pages have not been searched yet.',
  },
  searchOlder: 'Search older pages',
  nothingMatches: { title: 'No matching pages', text: 'Change the filters.' },
  noIncident: {
    title: 'Incident not found',
    text: 'Enter the number of an incident, such as 42.',
  },
  noInterval: { title: 'No matching pages', text: 'The start date is after the end date.' },
  clear: 'Clear filters',
} as const;
