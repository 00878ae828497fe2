import { once } from '../../resources/once.ts';

const list = once(() => new Intl.ListFormat(undefined, { type: 'conjunction' }));
const NAMED = 2;
const long = (unit: string) =>
  once(() => new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'long' }));
const minutes = long('minute');
const hours = long('hour');

export const words = {
  number: (number: number) => `INC-${number}`,
  incident: 'Incident',
  back: 'Incidents',
  since: (state: string) => `${state} since`,
  test: 'Test, left out of reports',
  muted: 'muted until',
  mutedForGood: 'muted indefinitely',
  by: 'by',
  /** Those that are no channels. */
  ways: {
    dashboard: 'dashboard',
    api: 'API key',
    chat: 'link in a chat',
    push: 'browser notification',
  } as Readonly<Record<string, string>>,
  wayFrom: (way: string, from: string) => `${way} from ${from}`,
  way: (way: string) => `(${way})`,
  urgency: 'Priority and severity',
  service: 'Service',
  integration: 'Integration',
  byHand: 'Opened manually',
  policy: 'Escalation policy',
  responders: 'Responders',
  goThere: 'View that incident',
  gone: {
    title: 'Incident not found',
    text: 'The number is wrong, its retention period has ended, or you are not in its team.',
  },
  toList: 'All incidents',
  failed: 'The incident could not be loaded',
  partFailed: 'This part could not be loaded',
  whyFailed: 'Your pages could not be loaded',
  noticesFailed: 'The notices could not be loaded',
  forecastFailed: 'The next steps could not be loaded',
  actionsFailed: 'The actions could not be loaded',
  actions: 'Actions',
  acknowledge: 'Acknowledge',
  resolve: 'Resolve',
  escalate: 'Escalate',
  unacknowledge: 'Unacknowledge',
  reopen: 'Reopen',
  unmute: 'Unmute',
  more: 'More actions',
  pages: (names: readonly string[]) => `Pages ${namesOf(names)} now.`,
  /** After the name of the button. */
  pagesNow: (names: readonly string[]) => `: page ${namesOf(names)} now`,
  pending: {
    acknowledge: 'Acknowledging…',
    resolve: 'Resolving…',
    escalate: 'Escalating…',
    reopen: 'Reopening…',
  } as Readonly<Record<string, string>>,
  again: {
    acknowledge: 'Not acknowledged yet. Retrying…',
    resolve: 'Not resolved yet. Retrying…',
    escalate: 'Not escalated yet. Retrying…',
  } as Readonly<Record<string, string>>,
  pagesNobody: 'Nobody will be paged.',
  menu: {
    mute: 'Mute',
    reassign: 'Reassign',
    'add-responder': 'Add responder',
    priority: 'Set priority',
    severity: 'Set severity',
    'run-playbook': 'Run playbook',
    'call-webhook': 'Call webhook',
    merge: 'Merge',
  },
  muteFor: {
    minutes: (count: number) => `For ${minutes().format(count)}`,
    hours: (count: number) => `For ${hours().format(count)}`,
    until: (time: string) => `Until ${time}`,
    forGood: 'Indefinitely',
  },
  addNote: 'Add note',
  saveNote: 'Save note',
  cancel: 'Cancel',
  close: 'Close',
  you: 'You',
  whyMe: 'Why me?',
  whyNotMe: 'Why not me?',
  timeline: 'Timeline',
  which: 'Timeline filter',
  filters: { all: 'All', pages: 'Pages', people: 'People', alerts: 'Alerts' },
  now: 'Now',
  earlier: 'Load earlier entries',
  removed: (count: number) => `Earlier entries deleted after the retention period: ${count}.`,
  nothingMatches: 'No matching entries.',
  afterwards: {
    nothing: 'Then nothing happens until someone acts.',
    resolved: 'Then the incident is resolved.',
    more: 'More steps follow.',
  },
  nothingAhead: 'Nothing happens until someone acts.',
  over: 'The incident is over.',
  overWithKey: 'The incident is over. The next alert with its key opens a new one.',
  overMerged: 'Further alerts with its key go to the other incident.',
  tally: {
    sent: (count: number, isPage: boolean) => `${count} ${isPage ? 'paged' : 'notified'}`,
    pending: (count: number) => `${count} pending`,
    failed: (count: number) => `${count} failed`,
    cancelled: (count: number) => `${count} not sent`,
  },
  alert: 'Alert details',
  receivedAt: 'As received from the tool at',
  enteredAt: 'As entered at',
  labels: 'Labels',
  setUpChannels: 'Set up channels',
  goTo: (name: string) => `View ${name}`,
  nothingElse: 'Nothing else was sent.',
  raw: 'Raw',
  table: 'Table',
  links: 'Links',
  notALink: 'not a web address',
} as const;

const { acknowledge, resolve, escalate, unacknowledge, reopen, unmute, addNote } = words;
export const actionNames: Readonly<Record<string, string>> = {
  ...words.menu,
  acknowledge,
  resolve,
  escalate,
  unacknowledge,
  reopen,
  unmute,
  note: addNote,
};

function namesOf(names: readonly string[]): string {
  const more = names.length - NAMED;
  return list().format(more > 0 ? [...names.slice(0, NAMED), `${more} more`] : names);
}
