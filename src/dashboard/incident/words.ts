const list = new Intl.ListFormat(undefined, { type: 'conjunction' });
const NAMED = 2;

export const words = {
  number: (number: number) => `INC-${number}`,
  incident: 'Incident',
  back: 'Incidents',
  since: (state: string) => `${state} since`,
  muted: 'muted until',
  mutedForGood: 'muted for good',
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
    text: 'The number is wrong, the incident was removed at the end of its retention, or it belongs to a team that you are not in.',
  },
  toList: 'To the incidents',
  failed: 'The incident could not be read',
  partFailed: 'This part could not be read',
  actions: 'Actions',
  acknowledge: 'Acknowledge',
  resolve: 'Resolve',
  escalate: 'Escalate',
  /** After the name of the button. */
  pagesNow: (names: readonly string[]) => `: page ${namesOf(names)} now`,
  pending: {
    acknowledge: 'Acknowledging …',
    resolve: 'Resolving …',
    escalate: 'Escalating …',
  } as Readonly<Record<string, string>>,
  again: {
    acknowledge: 'Not acknowledged yet, trying again.',
    resolve: 'Not resolved yet, trying again.',
    escalate: 'Not escalated yet, trying again.',
  } as Readonly<Record<string, string>>,
  againOther: 'Not done yet, trying again.',
  pagesNobody: 'Nobody is paged by it now.',
  cancel: 'Cancel',
  close: 'Close',
  you: 'You',
  whyMe: 'Why me?',
  sources: {
    event: 'event',
    timeline: 'timeline',
    page: 'page',
    attempt: 'attempt',
  } as Readonly<Record<string, string>>,
  timeline: 'Timeline',
  which: 'Which entries',
  filters: { all: 'All', pages: 'Pages', people: 'People', alerts: 'Alerts' },
  now: 'Now',
  earlier: 'Load earlier entries',
  removed: (count: number) =>
    `The first ${count} entries were removed at the end of their retention.`,
  nothingMatches: 'No entry of this kind.',
  ends: {
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
  states: { sent: 'sent', pending: 'on the way', failed: 'failed', cancelled: 'not sent' },
  by: (channel: string) => `by ${channels[channel] ?? channel}`,
  attempt: (count: number) => `Attempt ${count}`,
  running: 'under way',
  outcomes: { delivered: 'delivered', retry: 'failed, tried again', failed: 'failed' } as Readonly<
    Record<string, string>
  >,
  alert: 'What the alert says',
  raw: 'Raw',
  table: 'Table',
  links: 'Links',
  notALink: 'not a web address',
} as const;

const channels: Readonly<Record<string, string>> = {
  email: 'e-mail',
  'push-notification': 'push',
  'phone-call': 'phone',
  sms: 'SMS',
};

function namesOf(names: readonly string[]): string {
  const more = names.length - NAMED;
  return list.format(more > 0 ? [...names.slice(0, NAMED), `${more} more`] : names);
}
