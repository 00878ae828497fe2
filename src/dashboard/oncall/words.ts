export const words = {
  title: 'On call',
  periods: { week: 'Week', fortnight: '2 weeks', month: 'Month' },
  period: 'Period',
  before: 'Earlier',
  after: 'Later',
  today: 'Today',
  nobody: 'Nobody',
  nobodyNow: 'Nobody is on call now',
  until: (time: string) => `until ${time}`,
  followedBy: (name: string, time: string) => `then ${name}, ${time}`,
  nameForOther: (name: string, other: string) => `${name} for ${other}`,
  somebody: 'Somebody who is gone',
  gap: (count: number) => (count === 1 ? '1 gap' : `${count} gaps`),
  inThisPeriod: 'in what is shown',
  noTeam: 'Other teams',
  failed: 'The schedules could not be read',
  stale: 'Not up to date: the last read failed.',
  empty: {
    title: 'There is no schedule yet',
    text: 'A schedule says who is on call when. Escalation policies page whoever that is.',
  },
  emptyTeam: {
    title: 'This team has no schedule',
    text: 'Choose another team, or all teams, in the menu.',
  },
  myShifts: 'My next shifts',
  cover: 'Cover a shift',
  coverMine: 'Find cover',
  zone: (zone: string) => `Times of ${zone}`,
  clockMoves: (minutes: number) =>
    minutes > 0
      ? `The clock goes forward ${minutes} minutes`
      : `The clock goes back ${-minutes} minutes`,
  clock: (minutes: number) => (minutes > 0 ? `+${minutes / 60} h` : `−${-minutes / 60} h`),
  now: 'now',
} as const;

type RotationText = { length: number; unit: 'days' | 'weeks'; handoff: string; day: string };

export const scheduleWords = {
  failed: 'The schedule could not be read',
  back: 'All schedules',
  onCallNow: 'On call now',
  next: 'Next',
  nextNobody: 'Nobody within a year',
  forName: (name: string) => `for ${name}`,
  archived: 'This schedule is archived: nobody is on call.',
  unused: 'No escalation policy uses this schedule: nobody is paged by it.',
  usedBy: 'Used by',
  usedByOthers: (count: number) =>
    count === 1 ? '1 record of another team' : `${count} records of other teams`,
  covered: 'No gap in 10 years',
  checking: 'Looking for gaps in 10 years',
  gaps: (count: number) =>
    count === 1 ? '1 gap in the next 10 years' : `${count} gaps in the next 10 years`,
  showGap: 'Show the first',
  missing: (name: string, reason: string) => `${name} ${reason}.`,
  lanes: { final: 'Final', overrides: 'Overrides' },
  finalNote: 'who is paged',
  layer: (number: number) => `Layer ${number}`,
  removedLayer: 'Removed layer',
  override: 'Override',
  rotation: ({ length, unit, handoff, day }: RotationText) =>
    unit === 'days'
      ? `${length === 1 ? 'Daily' : `Every ${length} days`} ${handoff}`
      : `${length === 1 ? 'Weekly' : `Every ${length} weeks`} ${day.slice(0, 1).toUpperCase()}${day.slice(1, 3)} ${handoff}`,
  list: 'List',
  times: (zone: string) => `Times of ${zone}`,
  mine: 'My time too',
  help: 'Arrow keys move between shifts and lanes, brackets between periods, t goes to today. Drag over Final to cover a part.',
  who: 'Who',
  when: 'When',
  why: 'By',
  nothing: 'Nothing is planned in this period.',
  overridesTitle: 'Overrides',
  noOverrides: 'None is running or planned.',
  remove: 'Remove',
  removeSurely: 'Remove: yes',
  keep: 'Keep',
} as const;

export const coverWords = {
  title: 'Cover a shift',
  short: 'Cover',
  who: 'Who covers',
  me: (name: string) => `${name} (me)`,
  from: 'From',
  to: 'To',
  comment: 'Comment',
  instead: 'Instead of',
  everybody: 'Whoever is on call',
  onlyOf: (name: string) => `${name}, only while on call`,
  notifies: (names: string) => `${names} will be told.`,
  notifiesNobody:
    'Nobody will be told: see the shift notices of those concerned, or it is far ahead.',
  changesNothing: 'This changes nothing: that person is on call then.',
  cannotNotify: (name: string, reason: string) => `${name} cannot be told: ${reason}.`,
  times: (zone: string) => `Times of ${zone}.`,
  save: 'Cover a shift',
} as const;
