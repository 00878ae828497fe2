import { once } from '../ui/once.ts';

const list = once(() => new Intl.ListFormat(undefined, { type: 'conjunction' }));

export const words = {
  title: 'Incidents',
  openIncident: 'Open an incident',
  which: 'Which incidents',
  tabs: { open: 'Open', mine: 'Mine', resolved: 'Resolved', all: 'All' },
  number: (number: number) => `INC-${number}`,
  groups: {
    triggered: 'Triggered',
    acknowledged: 'Acknowledged',
    resolvedToday: 'Resolved in the last 24 hours',
  },
  next: {
    numbered: (step: number) => `Step ${step}`,
    step: 'Next step',
    repeat: 'Repeats',
    unacknowledge: 'Times out',
    unmute: 'Mute ends',
    resolve: 'Resolves',
    expire: 'Resolves',
    pages: 'pages',
  },
  search: 'Search titles',
  clear: 'Clear the search and filters',
  filter: 'Filter',
  remove: (filter: string) => `Remove: ${filter}`,
  any: 'Any',
  filters: {
    priority: 'Priority',
    service: 'Service',
    responder: 'Responder',
    since: 'Opened in the last',
  },
  ages: { '1h': 'hour', '24h': '24 hours', '7d': '7 days', '30d': '30 days' },
  select: (number: number) => `Select INC-${number}`,
  selectSome: 'Select',
  selected: 'Selected incidents',
  selectAll: (count: number) => `Select all ${count}`,
  selectedCount: (count: number) => `${count} selected`,
  acknowledge: 'Acknowledge',
  resolve: 'Resolve',
  mute: 'Mute',
  escalate: 'Escalate',
  merge: 'Merge',
  survivor: 'Which one goes on?',
  othersEnd: (count: number) =>
    count === 1
      ? 'The other one ends, and its alerts go to this one.'
      : `The other ${count} end, and their alerts go to this one.`,
  mergeInto: (count: number, number: number) => `Merge ${count} into INC-${number}`,
  pages: (names: readonly string[]) => `Pages ${list().format(names)} now.`,
  pagesNobody: 'It pages nobody now.',
  escalateAll: (count: number) => `Escalate ${count} now`,
  close: 'Close',
  results: (done: number, others: number) =>
    others === 0 ? `${done} done.` : `${done} done, ${others} not:`,
  isGone: 'It no longer exists.',
  paging: {
    waiting: 'nobody has been paged yet',
    sending: 'pages are being sent',
    paged: 'paged',
    nobody_reached: 'nobody was reached',
  },
  count: (count: number, isAll: boolean) => (isAll ? `${count}` : `${count}+`),
  suppressed: (count: number) => `×${count}`,
  suppressedHint: (count: number) => `${count} further alerts with its key`,
  again: (count: number) => `again ${count}`,
  againHint: (count: number) => `${count} earlier incidents with its key`,
  muted: 'muted',
  mutedUntil: 'muted until',
  more: 'Load more',
  arrived: (count: number) => (count === 1 ? '1 new incident' : `${count} new incidents`),
  show: 'Show',
  gone: 'not in this list any more',
  failed: 'The incidents could not be read',
  stale: 'Not up to date: the last read failed.',
  /** The list is of one's own teams, or of the one that was chosen. */
  whose: { own: 'in your teams', one: 'in this team' },
  emptyInTeams: {
    open: (whose: string) => `Nothing is open ${whose}`,
    mine: (whose: string) => `Nothing open ${whose} is yours`,
    resolved: (whose: string) => `Nothing is resolved yet ${whose}`,
    all: (whose: string) => `There has been no incident yet ${whose}`,
  },
  elsewhere: 'There may be incidents in other teams.',
  inAllTeams: 'Show all teams',
  empty: {
    open: {
      title: 'Nothing is open',
      text: 'New incidents appear here.',
    },
    mine: {
      title: 'Nothing open is yours',
      text: 'Incidents assigned to you by name appear here.',
    },
    resolved: { title: 'Nothing is resolved yet', text: 'Incidents stay here once they are over.' },
    all: {
      title: 'There has been no incident yet',
      text: 'Send an event to an integration, and one appears here.',
    },
  },
  nothingMatches: {
    title: 'Nothing matches',
    text: 'No incident here fits the search and the filters.',
  },
} as const;
