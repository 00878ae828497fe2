import { once } from '../ui/once.ts';

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
  muted: 'muted until',
  mutedForGood: 'muted for good',
  acknowledgedBy: 'by',
  urgency: 'Priority and severity',
  service: 'Service',
  integration: 'Integration',
  byHand: 'Opened by hand',
  policy: 'Escalation policy',
  responders: 'Responders',
  mergedInto: 'It was merged into another incident.',
  goThere: 'Go there',
  gone: {
    title: 'This incident is not there',
    text: 'The number is wrong, the incident was removed after its retention, or you are not in its team.',
  },
  toList: 'To the incidents',
  failed: 'The incident could not be read',
  partFailed: 'This part could not be read',
  whyFailed: 'Whether you were paged could not be read',
  noticesFailed: 'Who was notified could not be read',
  forecastFailed: 'What happens next could not be read',
  actionsFailed: 'The actions could not be read',
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
    acknowledge: 'Acknowledging …',
    resolve: 'Resolving …',
    escalate: 'Escalating …',
    reopen: 'Reopening …',
  } as Readonly<Record<string, string>>,
  again: {
    acknowledge: 'Not acknowledged yet, trying again.',
    resolve: 'Not resolved yet, trying again.',
    escalate: 'Not escalated yet, trying again.',
  } as Readonly<Record<string, string>>,
  pagesNobody: 'Nobody is paged by it now.',
  menu: {
    mute: 'Mute',
    reassign: 'Reassign',
    'add-responder': 'Add a responder',
    priority: 'Priority',
    severity: 'Severity',
    'run-playbook': 'Run a playbook',
    'call-webhook': 'Call a webhook',
    merge: 'Merge',
  },
  /** What each of them does, before it is done. */
  does: {
    mute: 'Nobody is paged until the mute ends, not even by pages on the way. The next step waits until then.',
    reassign:
      'One person becomes the only responder, and is notified by e-mail and push. Escalation continues.',
    'add-responder':
      'One more person becomes a responder, and is notified by e-mail and push. Escalation continues.',
    priority: 'Nobody is notified. It stays as you set it when the alert comes again.',
    severity: 'Nobody is notified. It stays as you set it when the alert comes again.',
    'run-playbook': 'Runs its actions in order. The timeline shows the results.',
    'call-webhook': 'Calls it once, now. The timeline shows the answer.',
    merge: 'This incident ends, and its alerts go to the other one.',
  },
  none: 'None',
  muteFor: {
    minutes: (count: number) => `For ${minutes().format(count)}`,
    hours: (count: number) => `For ${hours().format(count)}`,
    until: (time: string) => `Until ${time}`,
    forGood: 'For good',
  },
  person: 'Person',
  playbook: 'Playbook',
  webhook: 'Webhook',
  noRecords: 'The team of this incident has none.',
  into: 'Into',
  ends: (number: number) => `INC-${number} ends, merged`,
  survives: (number: number) => `INC-${number} goes on`,
  key: 'Key',
  allClearLater: 'Those who were paged get the all-clear when that one ends.',
  addNote: 'Add a note',
  saveNote: 'Save the note',
  cancel: 'Cancel',
  close: 'Close',
  you: 'You',
  whyMe: 'Why me?',
  timeline: 'Timeline',
  which: 'Which entries',
  filters: { all: 'All', pages: 'Pages', people: 'People', alerts: 'Alerts' },
  now: 'Now',
  earlier: 'Load earlier entries',
  removed: (count: number) => `The first ${count} entries were removed after their retention.`,
  nothingMatches: 'No entry of this kind.',
  afterwards: {
    nothing: 'Then nothing happens until somebody acts.',
    resolved: 'Then it is over.',
    more: 'And so on.',
  },
  nothingAhead: 'Nothing happens until somebody acts.',
  tally: {
    sent: (count: number, isPage: boolean) => `${count} ${isPage ? 'paged' : 'notified'}`,
    pending: (count: number) => `${count} on the way`,
    failed: (count: number) => `${count} failed`,
    cancelled: (count: number) => `${count} not sent`,
  },
  alert: 'What the alert says',
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
