import { nightHours } from '../../resources/night-hours.ts';
import { once } from '../../resources/once.ts';
import { hourTime } from '../ui/clock-time.ts';
import { verdictNames } from '../verdict/words.ts';
import { spanOf } from './figures.ts';
import { type ListedVerdict, type Weekday, weekdays } from './search.ts';

const counted = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString()} ${many}`;

// The first of January 2024 was a Monday.
const dayNames = once(() =>
  (['long', 'short'] as const).map((weekday) =>
    weekdays.map((_, index) =>
      new Intl.DateTimeFormat(undefined, { weekday, timeZone: 'UTC' }).format(
        Date.UTC(2024, 0, 1 + index),
      ),
    ),
  ),
);
const unit = (count: number, name: string) =>
  new Intl.NumberFormat(undefined, { style: 'unit', unit: name, unitDisplay: 'short' }).format(
    count,
  );
const day = once(
  () => new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
);
const percent = once(
  () => new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 }),
);
const dayText = (date: string) => day().format(new Date(`${date}T00:00:00Z`));

export const weekdayText = (weekday: Weekday, length: 'long' | 'short' = 'long') =>
  dayNames()[length === 'long' ? 0 : 1]?.[weekdays.indexOf(weekday)] ?? weekday;
export const durationText = (seconds: number) =>
  spanOf(seconds)
    .map(([count, name]) => unit(count, name))
    .join(' ');
export const weekText = (date: string) => dayText(date);

const listedVerdict = (verdict: ListedVerdict) => {
  if (verdict === 'ended') return 'Resolved';
  return verdict === 'answered' ? 'With a verdict' : `Verdict: ${verdictNames[verdict]}`;
};

/** Of a list of incidents. */
const openedText = (acknowledged: boolean | undefined) =>
  acknowledged === true ? 'Acknowledged, opened' : 'Opened';

export const words = {
  title: 'Reports',
  periods: { 7: '7 days', 28: '28 days', 90: '90 days' },
  whichPeriod: 'Period',
  from: 'From',
  to: 'To',
  service: 'Service',
  integration: 'Integration',
  any: 'Any',
  csv: 'Download CSV',
  csvOf: (table: string) => `Download CSV: ${table}`,
  print: 'Print',
  period: (from: string, to: string, timezone: string) =>
    `${dayText(from)} – ${dayText(to)}, times in ${timezone}`,
  noPeriod: { title: 'Invalid period', text: 'The start date is after the end date.' },
  empty: {
    title: 'No incidents in this period',
    text: 'Figures appear here once an incident is opened. Choose another period or team.',
  },
  notAll: (what: string, since: string) => `Only ${what} since ${dayText(since)} are counted.`,
  incidents: 'incidents',
  pages: 'pages',
  timelinesRemoved: (before: string) =>
    `Timelines of incidents that ended before ${dayText(before)} were removed. These incidents count as not acknowledged.`,
  pagesRemoved: (before: string) =>
    `Pages before ${dayText(before)} were removed and are not counted.`,
  opened: (count: number) => counted(count, 'incident', 'incidents'),
  summary: {
    opened: 'Incidents',
    acknowledge: 'Time to acknowledge',
    resolve: 'Time to resolve',
    verdicts: 'Verdicts',
  },
  ofEnded: (ended: number) => `of ${ended.toLocaleString()} resolved incidents`,
  median: 'Median',
  p90: '90th percentile',
  within: (time: string) => `90% within ${time}`,
  acknowledged: (count: number, opened: number) =>
    `${count.toLocaleString()} of ${opened.toLocaleString()} acknowledged`,
  resolved: (count: number, opened: number) =>
    `${count.toLocaleString()} of ${opened.toLocaleString()} resolved`,
  hours: {
    title: 'Incidents by hour and weekday',
    text: 'When incidents were opened. Each number leads to its incidents.',
    corner: 'Weekday',
    hour: 'Hour',
  },
  cell: (weekday: Weekday, hour: number, count: number) =>
    `${weekdayText(weekday)} ${hourTime(hour)}: ${counted(count, 'incident', 'incidents')}`,
  weeks: {
    title: 'Time to acknowledge and to resolve',
    text: 'By the week in which the incidents were opened. Time to acknowledge is until a person first acknowledged the incident. Merged incidents and incidents resolved by a timer are not counted in the time to resolve.',
    week: 'Week of',
    opened: 'Opened',
    acknowledged: 'Acknowledged',
    resolved: 'Resolved',
    medianAcknowledge: 'Median time to acknowledge',
    p90Acknowledge: '90% acknowledged within',
    medianResolve: 'Median time to resolve',
    p90Resolve: '90% resolved within',
    longest: (time: string) => `up to ${time}`,
  },
  people: {
    title: 'Pages at night',
    text: `Pages to each person, and how many of them came between ${hourTime(nightHours.from)} and ${hourTime(nightHours.to)} in the person’s time zone.`,
    person: 'Person',
    night: 'At night',
    all: 'All pages',
    nobody: 'Nobody was paged in this period.',
  },
  keys: {
    title: 'Noisiest alerts',
    text: 'The alerts that opened the most incidents. Alerts with the same key are about the same problem.',
    key: 'Latest incident and key',
    integration: 'Integration',
    incidents: 'Incidents',
    unacknowledged: 'Not acknowledged',
    suppressed: 'Repeated alerts',
    none: 'No alert opened an incident in this period.',
    rule: 'Make a rule',
    ruleFor: (title: string) => `Make a rule for ${title}`,
  },
  verdicts: {
    keys: {
      title: 'Verdicts by key',
      text: 'The verdicts on resolved incidents. Keys with the most false alarms and “Nothing to do” verdicts come first. Merged incidents are not counted.',
      head: 'Latest incident and key',
    },
    integrations: {
      title: 'Verdicts by integration',
      text: 'By the integration that received the alerts.',
      head: 'Integration',
    },
    rules: {
      title: 'Verdicts by rule',
      text: 'By the rules that acted on the incidents. An incident counts for each of them.',
      head: 'Rule',
    },
    ended: 'Resolved',
    answered: 'With a verdict',
    share: (share: number) => `(${percent().format(share)})`,
    none: 'No matching incident was resolved in this period.',
  },
  channels: {
    title: 'Pages by channel',
    text: 'Pages by channel and result.',
    channel: 'Channel',
    states: { sent: 'Sent', pending: 'Pending', failed: 'Failed', cancelled: 'Not sent' },
    none: 'No pages in this period.',
  },
  back: 'Back to the report',
  listTitle: 'Incidents',
  lists: {
    all: 'All incidents of the report',
    week: (date: string, acknowledged: boolean | undefined) =>
      `${openedText(acknowledged)} in the week of ${dayText(date)}`,
    hour: (weekday: Weekday, hour: number) =>
      `Opened on ${weekdayText(weekday)}, ${hourTime(hour)} – ${hourTime((hour + 1) % 24)}`,
    key: (key: string, acknowledged: boolean | undefined) =>
      acknowledged === false ? `Not acknowledged, with the key ${key}` : `With the key ${key}`,
    verdicts: (verdict: ListedVerdict, key: string | undefined) =>
      key === undefined ? listedVerdict(verdict) : `${listedVerdict(verdict)}, key ${key}`,
  },
  more: 'Load more',
  nothing: { title: 'No matching incidents', text: 'Change the period or the filters.' },
} as const;
