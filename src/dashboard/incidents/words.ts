import { once } from '../ui/once.ts';

const list = once(() => new Intl.ListFormat(undefined, { type: 'conjunction' }));

export const words = {
  title: 'Incidents',
  openIncident: 'Open an incident',
  which: 'Incident lists',
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
    quiet: 'Resolves',
    pages: 'pages',
  },
  search: 'Search titles',
  clear: 'Clear search and filters',
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
  survivor: 'Which incident stays open?',
  othersEnd: (count: number) =>
    count === 1
      ? 'The other incident is closed, and its alerts go to this one.'
      : `The other ${count} are closed, and their alerts go to this one.`,
  mergeInto: (count: number, number: number) => `Merge ${count} into INC-${number}`,
  pages: (names: readonly string[]) => `Pages ${list().format(names)} now.`,
  pagesNobody: 'This pages nobody now.',
  endsAcknowledgements: (count: number) =>
    count === 1
      ? 'This ends the acknowledgement of 1 incident.'
      : `This ends the acknowledgements of ${count} incidents.`,
  escalateAll: (count: number) => `Escalate ${count} now`,
  close: 'Close',
  results: (done: number, others: number) =>
    others === 0 ? `${done} done.` : `${done} done, ${others} not done:`,
  isGone: 'This incident no longer exists.',
  columns: {
    number: 'Incident',
    urgency: 'Urgency',
    title: 'Title',
    service: 'Service',
    who: 'Who has it',
    age: 'Age',
  },
  paging: {
    waiting: 'Nobody has been paged yet',
    sending: 'Sending pages',
    paged: 'Paged',
    unanswered: 'Paging ended, nobody answered',
    admins_only: 'Nobody could be paged',
    nobody_reached: 'Nobody was reached',
  },
  pagingCounts: {
    nobody: (count: string) => `${count} paged nobody`,
    running: (count: string) => `${count} being paged`,
    ended: (count: string) => `${count} with nobody left to page`,
    muted: (count: string) => `${count} muted`,
  },
  notified: (names: readonly string[]) => `${list().format(names)} notified`,
  paged: 'Paged',
  ago: (age: string) => `${age} ago`,
  acknowledged: 'Acknowledged',
  resolvedBy: 'Resolved by',
  resolvedIn: (time: string) => `in ${time}`,
  timer: 'a timer',
  acknowledgeOne: (number: number) => `Acknowledge INC-${number}`,
  count: (count: number, isAll: boolean) => (isAll ? `${count}` : `${count}+`),
  others: (count: number) => `and ${count} more`,
  suppressed: (count: number) => `×${count}`,
  suppressedHint: (count: number) => `${count} more alerts with the same key`,
  again: (count: number) => `${count} earlier`,
  againHint: (count: number) => `${count} earlier incidents with the same key`,
  muted: 'muted',
  mutedUntil: 'muted until',
  more: 'Load more',
  arrived: (count: number) => (count === 1 ? '1 new incident' : `${count} new incidents`),
  show: 'Show',
  gone: 'no longer in this list',
  failed: 'The incidents could not be loaded',
  stale: 'Not up to date. The last update failed.',
  /** The list is of one's own teams, or of the one that was chosen. */
  whose: { own: 'in your teams', one: 'in this team' },
  emptyInTeams: {
    open: (whose: string) => `No open incidents ${whose}`,
    mine: (whose: string) => `No open incidents ${whose} involve you`,
    resolved: (whose: string) => `No resolved incidents ${whose} yet`,
    all: (whose: string) => `No incidents ${whose} yet`,
  },
  elsewhere: 'Other teams may have incidents.',
  inAllTeams: 'Show all teams',
  empty: {
    open: {
      title: 'No open incidents',
      text: 'New incidents appear here.',
    },
    mine: {
      title: 'No open incidents involve you',
      text: 'Incidents that you were paged for, acknowledged, or are assigned to appear here.',
    },
    resolved: { title: 'No resolved incidents yet', text: 'Resolved incidents appear here.' },
    all: {
      title: 'No incidents yet',
      text: 'Send an event to an integration to open one.',
    },
  },
  nothingMatches: {
    title: 'No matching incidents',
    text: 'Change the search or the filters.',
  },
} as const;
