import { words as recordWords } from '../records/words.ts';

export const words = {
  title: 'On call',
  periods: { week: 'Week', fortnight: '2 weeks', month: 'Month' },
  weekend: 'Weekend',
  weekends: { '0': 'This weekend', '1': 'Next weekend' },
  period: 'Period',
  before: 'Earlier',
  after: 'Later',
  today: 'Today',
  nobody: 'Nobody',
  nobodyByDesign: 'Nobody, as intended',
  nobodyNow: 'Nobody is on call now',
  until: (time: string) => `until ${time}`,
  noEnd: (start: string) => `${start}, with no end`,
  followedBy: (name: string, time: string) => `then ${name}, ${time}`,
  nameForOther: (name: string, other: string) => `${name} for ${other}`,
  takenOff: (name: string) => `${name} off call`,
  somebody: 'Unknown person',
  gap: (count: number) => (count === 1 ? '1 gap' : `${count} gaps`),
  inThisPeriod: 'in this period',
  noTeam: 'Other teams',
  archive: 'Archived schedules',
  failed: 'The schedules could not be loaded',
  stale: 'Not up to date. The last update failed.',
  empty: {
    title: 'No schedules yet',
    text: 'A schedule defines who is on call at any time. Escalation policies page that person.',
  },
  emptyTeam: {
    title: 'This team has no schedules',
    text: 'Other teams may have schedules.',
  },
  emptyMine: {
    title: 'Your teams have no schedules',
    text: 'Other teams may have schedules.',
  },
  myShifts: 'My next shifts',
  cover: 'Cover shift',
  coverMine: 'Find cover',
  zone: (zone: string) => `Times in ${zone}`,
  bothClocks: (time: string, city: string, own: string) => `${time} ${city} · ${own} your time`,
  clockMoves: (minutes: number) =>
    minutes > 0
      ? `Clocks go forward by ${minutes} minutes`
      : `Clocks go back by ${-minutes} minutes`,
  clock: (minutes: number) => (minutes > 0 ? `+${minutes / 60} h` : `−${-minutes / 60} h`),
  now: 'now',
} as const;

type RotationText = { length: number; unit: 'days' | 'weeks'; handoff: string; day: string };

export const atTimeWords = {
  now: 'Now',
  other: 'At another time',
  help: 'In your time zone.',
} as const;

export const scheduleWords = {
  failed: 'The schedule could not be loaded',
  back: 'All schedules',
  onCallNow: 'On call now',
  next: 'Next',
  nextNobody: 'Nobody within a year',
  forName: (name: string) => `for ${name}`,
  unused: 'No escalation policy uses this schedule, so it pages nobody.',
  usedBy: 'Used by',
  usedByOthers: (count: number) =>
    count === 1 ? '1 record in another team' : `${count} records in other teams`,
  covered: 'No gaps',
  coveredElse: 'No other gaps',
  checking: 'Checking the next 10 years for gaps',
  gaps: (count: number) =>
    count === 1 ? '1 gap in the next 10 years' : `${count} gaps in the next 10 years`,
  showGap: 'Show first gap',
  missing: (name: string, reason: string) => `${name} ${reason}.`,
  lanes: { final: 'Final', overrides: 'Overrides' },
  finalOf: (days: string) => `Final, ${days}`,
  finalNote: 'who is on call',
  layer: (number: number) => `Layer ${number}`,
  countsOpen: 'open days only',
  since: (date: string) => `since ${date}`,
  removedLayer: 'Removed layer',
  override: 'Override',
  rotation: ({ length, unit, handoff, day }: RotationText) =>
    unit === 'days'
      ? `${length === 1 ? 'Daily' : `Every ${length} days`} ${handoff}`
      : `${length === 1 ? 'Weekly' : `Every ${length} weeks`} ${day.slice(0, 1).toUpperCase()}${day.slice(1, 3)} ${handoff}`,
  view: 'View',
  views: { lanes: 'Timeline', days: 'Days', list: 'List' },
  timesOf: 'Times in',
  zoneOf: (zone: string, names: string) => `${zone} (${names})`,
  me: 'me',
  mine: 'Show my time',
  help: 'Use arrow keys to move between shifts and lanes, brackets to change the period, and t for today. Drag over Final to cover part of a shift.',
  who: 'Who',
  when: 'When',
  why: 'Source',
  nothing: 'No shifts in this period.',
  overridesTitle: 'Overrides',
  overridesFailed: 'The overrides could not be loaded',
  noOverrides: 'No current or upcoming overrides.',
  remove: 'Remove',
  removeOverride: 'Remove override',
  removeSurely: 'Confirm removal',
  keep: 'Keep',
} as const;

export const coverWords = {
  title: 'Cover shift',
  short: 'Cover',
  who: 'Covered by',
  me: (name: string) => `${name} (me)`,
  from: 'From',
  to: 'To',
  edges: { start: 'Drag the start', end: 'Drag the end' },
  edgesHelp: 'Drag an edge, or move it with the arrow keys. Page keys move it by one handoff.',
  comment: 'Comment',
  instead: 'Instead of',
  nobody: 'Nobody',
  takesOff:
    'Nobody takes over. If a lower layer has someone on call, that person is paged. Otherwise, incidents go to the next step of the escalation policy, and finally to the admins.',
  nobodyToTakeOff: 'Nobody is on call at that time.',
  everybody: 'Whoever is on call',
  onlyOf: (name: string) => `${name}, only while on call`,
  notifies: (names: string) => `${names} will be notified.`,
  notifiesNobody:
    'Nobody gets a notification about this change. It is more than 60 days away, or the people affected have turned off notifications.',
  changesNothing: 'No change: this person is already on call then.',
  cannotNotify: (name: string, reason: string) => `${name} cannot be notified: ${reason}.`,
  times: (zone: string) => `Times in ${zone}.`,
  save: 'Cover shift',
  checking: 'Checking…',
} as const;

export const severalWords = {
  title: 'Cover several shifts',
  setAll: 'Set all at once',
  of: 'All shifts of',
  gaps: 'Nobody (gaps)',
  by: 'Covered by',
  set: 'Set all',
  shifts: 'Shifts in this period',
  stays: 'No change',
  none: 'No shifts in this period.',
  tooMany: (count: number, most: number) =>
    `This period has ${count} shifts and gaps. At most ${most} can be changed at once. Choose a shorter period.`,
  nothingPicked: 'No shift changes yet.',
  pickOne: 'Select someone else for at least one shift.',
  changes: (count: number) => (count === 1 ? '1 shift changes.' : `${count} shifts change.`),
  save: 'Cover shifts',
} as const;

export const requestWords = {
  title: 'Cover requests',
  anyone: 'The first person to accept',
  request: 'Ask the others on this schedule',
  send: 'Ask for cover',
  recipients: (names: string) => `${names} will be asked. The first to accept takes the shift.`,
  nobody: 'Nobody else in the layers of this schedule can be asked.',
  open: (name: string, time: string) => `${name} asks for cover, ${time}`,
  accepted: (by: string, name: string, time: string) => `${by} took the shift of ${name}, ${time}`,
  withdrawn: (name: string, time: string) => `The request of ${name} was withdrawn, ${time}`,
  expired: (name: string, time: string) => `The request of ${name} has expired, ${time}`,
  take: 'Take the shift',
  taken: (time: string) => `You took the shift, ${time}`,
  withdraw: 'Withdraw',
} as const;

export const editWords = {
  create: 'New schedule',
  saveNew: 'Create schedule',
  edit: 'Edit layers',
  save: 'Save',
  name: 'Name',
  team: 'Team',
  timezone: 'Time zone',
  timezoneHelp: 'Handoffs follow this time zone.',
  template: 'Template',
  templates: {
    weekly: { title: 'Weekly turns', text: 'One person per week, around the clock.' },
    sun: { title: 'Follow the sun', text: 'Three teams, eight hours each.' },
    office: {
      title: 'Office hours and nights',
      text: 'Daily turns during office hours, weekly turns at other times.',
    },
  },
  managed: 'Terraform manages this schedule. The next apply undoes your changes here.',
  ofRevision: (when: string) => `The layers below are those of ${when}. Save to restore them.`,
  layer: (number: number) => `Layer ${number}`,
  layers: 'Layers',
  layerName: 'Layer title',
  layerNote: 'Where layers overlap, the later layer is used.',
  editLayer: (number: number) => `Edit layer ${number}`,
  addLayer: 'Add layer',
  removeLayer: (number: number) => `Remove layer ${number}`,
  drag: 'Drag to move',
  raise: (what: string) => `Move ${what} up`,
  lower: (what: string) => `Move ${what} down`,
  drop: (what: string) => `Remove ${what}`,
  people: 'Turns, in order',
  add: 'Add person',
  addNobody: 'Add empty turn',
  nobodyHelp: 'If Terraform changes this layer, empty turns are removed.',
  nobody: 'Nobody',
  length: 'Length of a turn',
  unit: 'Unit',
  units: { days: 'days', weeks: 'weeks' },
  handoff: 'Handoff at',
  handoffDay: 'Handoff on',
  days: {
    monday: 'Monday',
    tuesday: 'Tuesday',
    wednesday: 'Wednesday',
    thursday: 'Thursday',
    friday: 'Friday',
    saturday: 'Saturday',
    sunday: 'Sunday',
  },
  since: 'Start of the first person’s turn',
  sinceHelp:
    'If the rotation is already running, enter the date on which the first person’s turn began. Leave it empty to start with the first person now. Changing it moves the current turn.',
  counts: 'Days that count',
  countsOptions: { all: 'Every day', open: 'Only days with hours' },
  countsHelp:
    'If every day counts, a turn can fall on days without hours, and some people may never be on call. If Terraform changes this layer, this is reset.',
  countOpen: (layer: string) => `Count only days with hours in ${layer}`,
  hours: 'Limit to certain hours of the week',
  dates: 'Start and end date',
  startsAt: 'Starts',
  endsAt: 'Ends',
  datesHelp: 'If Terraform changes this layer, these dates are removed.',
  preview: 'The next two weeks',
  onCall: 'On call',
  handoffs: 'Next handoffs',
  handsOff: (from: string, to: string) => `${from} → ${to}`,
  before: 'Before',
  after: 'After',
  incomplete: 'Add people to every layer, and days to its hours, to see who is on call.',
  effects: 'Changes on save',
  computing: 'Computing…',
  noGap: 'Someone is on call at all times in these two weeks.',
  gaps: (count: number) =>
    count === 1 ? '1 gap in these two weeks.' : `${count} gaps in these two weeks.`,
  byDesign: (when: string, more: number) => {
    const again = more === 1 ? ' and once more' : ` and ${more} more times`;
    return `Nobody will be on call, as intended: ${when}${more === 0 ? '' : again}.`;
  },
  turned:
    'The order of turns is unchanged: turns repeat in a circle, and the current turn stays with the same person. To change who is on call, cover a shift or set the date on which the first turn began.',
  noEffects: 'This changes no shifts in the next 60 days.',
  moved: (count: number) =>
    count === 1 ? '1 shift in the next 60 days moves' : `${count} shifts in the next 60 days move`,
  fromThen: (time: string) => `starting ${time}`,
  instead: (name: string, other: string) => `${name} instead of ${other}`,
  more: (count: number) => `and ${count} more`,
} as const;

export const hoursWords = {
  title: 'Hours',
  hours: (number: number) => `Hours ${number}`,
  from: 'From',
  to: 'To',
  fromDay: 'From day',
  toDay: 'To day',
  nextDay: 'The next day',
  noDay: 'Select at least one day.',
  add: 'Add hours',
  addNights: 'Add nights',
  addWeekend: 'Add weekend',
  addSpan: 'Add several days',
  everyDay: 'every day',
  always: 'Always',
  by: (hours: string, people: string) => `${hours} · ${people}`,
  andMore: (names: string, count: number) => `${names} +${count}`,
  short: {
    monday: 'Mon',
    tuesday: 'Tue',
    wednesday: 'Wed',
    thursday: 'Thu',
    friday: 'Fri',
    saturday: 'Sat',
    sunday: 'Sun',
  } as Readonly<Record<string, string>>,
} as const;

export const byDesignWords = {
  title: 'Hours without anyone on call',
  text: 'Gaps in these hours are not reported. Who is on call does not change: incidents in these hours reach nobody on this schedule.',
  declared: (hours: string) => `Nobody is on call ${hours}, as intended.`,
  proposed: (hours: string) =>
    `Nobody is on call ${hours} in each of the next four weeks. Is this intended?`,
  mark: 'Mark as intended',
  edit: 'Edit hours',
  none: 'No hours',
  noHours: 'Without hours, all gaps are reported again.',
  managed: 'Terraform manages this schedule, but does not change these hours.',
} as const;

export const agendaWords = {
  none: 'No shifts',
  cover: 'Cover:',
  allDay: 'all day',
  until: (time: string) => `until ${time}`,
  from: (time: string) => `from ${time}`,
  fromTo: (from: string, to: string) => `${from} – ${to}`,
} as const;

export const kindWords = {
  title: words.title,
  one: 'schedule',
  empty: words.empty,
} as const;

export const cloneWords = {
  title: 'Clone',
  text: 'A clone has the same layers and time zone. Its turns restart. Overrides and notification settings are not copied.',
  clone: 'Clone schedule',
  titleOf: (name: string) => `Clone ${name}`,
  nameHelp: 'Leave it empty to keep the name, with “(copy)” added.',
} as const;

export const tabWords = {
  which: 'Schedule sections',
  tabs: {
    shifts: 'Shifts',
    announced: 'Announcements',
    notifications: 'Notifications',
    calendar: 'Calendar link',
    revisions: 'Revisions',
    uses: recordWords.uses,
    terraform: recordWords.terraform,
    history: recordWords.history,
  },
} as const;

export const announcedWords = {
  failed: 'The announcements could not be loaded',
  empty: {
    title: 'No announcements yet',
    text: 'When a shift starts, ends or is moved by an edit, the people notified appear here.',
  },
  times: (zone: string) => `Times in ${zone}`,
  kinds: { start: 'starts a shift', end: 'ends a shift', change: 'has new shifts' },
  gained: (when: string) => `Added: ${when}`,
  lost: (when: string) => `Removed: ${when}`,
  fromThen: (time: string) => `starting ${time}`,
  more: (count: number) => `and ${count} more`,
  nobody: 'Nobody was notified',
  states: { sent: 'sent', pending: 'pending', failed: 'failed', cancelled: 'not sent' },
  afterAttempts: (state: string, count: number) => `${state} after ${count} attempts`,
  earlier: 'Show earlier announcements',
  removed: (time: string) => `Announcements before ${time} were deleted.`,
} as const;

export const noticeWords = {
  people: 'People',
  peopleText: 'People choose how they are notified about their own shifts, for each schedule.',
  mine: 'My shift notices',
  team: 'Team channels',
  teamText: 'A message to everyone when a shift starts or ends.',
  webhooks: 'Webhooks',
  webhooksText: 'Called when a shift starts or ends, in addition to the organization’s webhooks.',
  noWebhooks: 'This team has no outbound webhooks.',
  asOrganization: 'Same as the organization',
  own: 'Custom channels',
  vendors: { slack: 'Slack', msteams: 'Microsoft Teams' },
  nobody: 'No channels. Nobody is notified.',
  add: 'Add channel',
  url: 'Incoming webhook URL',
  urlHelp: 'The URL that the chat shows when you create the webhook.',
  channelId: 'Channel ID',
  channelIdHelp: 'Messages cannot be sent by channel ID yet. Use an incoming webhook.',
  byApp: 'Through the app',
  byWebhook: 'Through a webhook',
  pickChannel: 'Channel',
  pickChannelHelp:
    'Enter the channel’s name, ID or link. A private channel appears once the app is invited to it.',
  stillRead: 'The channels are still loading. Meanwhile, paste the channel’s ID.',
  isPrivate: 'private',
  asTyped: 'as typed',
  channelName: 'Name',
  mention: 'Mentions',
  remove: 'Remove',
  drop: (what: string) => `Remove ${what}`,
  channel: (vendor: string, number: number) => `${vendor} channel ${number}`,
  unnamed: 'unnamed channel',
  viewerNote: 'Only managers and above can change these settings.',
  archivedNote:
    'This schedule is archived. Nobody is notified, and these settings cannot be changed.',
  managed:
    'Terraform manages this schedule, but not these settings. An apply does not change them.',
} as const;

export const calendarTabWords = {
  title: 'Calendar link',
  text: 'Shows the shifts of this schedule in any calendar. Anyone who has the link can read it.',
  everybody: 'Everyone’s shifts',
  ofPerson: (name: string) => `Shifts of ${name}`,
} as const;

export const revisionWords = {
  failed: 'The revisions could not be loaded',
  note: (zone: string) => `Changes to who is on call. Times in ${zone}.`,
  unknown: 'Author unknown. An earlier version of Pager did not record it.',
  via: { user: 'In the dashboard', key: 'Through the API, with this key', server: 'On the server' },
  terraform: (workspace: string | undefined) =>
    workspace === undefined ? 'By Terraform' : `By Terraform, workspace ${workspace}`,
  created: 'Created',
  archived: 'Archived. Nobody is on call.',
  restored: 'Restored',
  timezone: 'Time zone',
  added: (layer: string) => `Layer added: ${layer}`,
  removed: (layer: string) => `Layer removed: ${layer}`,
  moved: (layer: string) => `Layer moved: ${layer}`,
  place: (number: number) => `Layer ${number}`,
  ofLayer: (layer: string, field: string) => `${layer}: ${field}`,
  fields: {
    name: 'name',
    users: 'turns',
    rotation: 'handoffs',
    restriction: 'hours',
    starts_at: 'starts',
    ends_at: 'ends',
  },
  always: 'at any hour',
  none: 'no date',
  noName: 'no name',
  before: 'Before:',
  after: 'After:',
  earlier: 'Show earlier revisions',
  restore: 'Restore these layers',
} as const;
