// All limits as docs/operating.md shows them.
import { access } from './access.ts';
import { asking } from './asking.ts';
import { computing } from './computing.ts';
import { database } from './database.ts';
import { events } from './events.ts';
import { http } from './http.ts';
import { incidents } from './incidents.ts';
import { KIB, type Limit, type Limits, MIB } from './limit.ts';
import { mail } from './mail.ts';
import { memory } from './memory.ts';
import { running } from './running.ts';
import { sending } from './sending.ts';

const groups: readonly (readonly [title: string, Limits])[] = [
  ['Requests', http],
  ['Alert mail', mail],
  ['What is read of events', events],
  ['Signing in, keys and links', access],
  ['Questions and answers of the API', asking],
  ['What is computed apart for them', computing],
  ['Incidents, rules, playbooks and shifts', incidents],
  ['Notices on their way out', sending],
  ['The database', database],
  ['Starting and stopping', running],
  ['What a server remembers', memory],
];

export const limitsTables = (): string => groups.map(tableOf).join('\n\n');

function tableOf([title, limits]: (typeof groups)[number]): string {
  const rows = Object.values(limits).map((limit) => {
    const { of, beyond } = limit;
    return `| ${of} | ${valueShown(limit)} | ${beyond} |`;
  });
  return [`### ${title}`, '', '| Limit | Value | Beyond it |', '|---|---|---|', ...rows].join('\n');
}

const times = {
  milliseconds: { of: 1, shown: 'ms' },
  seconds: { of: 1_000, shown: 's' },
  minutes: { of: 60_000, shown: 'min' },
  hours: { of: 3_600_000, shown: 'h' },
  days: { of: 86_400_000, shown: 'days' },
} as const;

export function valueShown({ value, unit }: Pick<Limit, 'value' | 'unit'>): string {
  if (unit === 'count') return counted(value);
  if (unit === 'percent') return `${value} %`;
  if (unit === 'bytes')
    return value % MIB === 0 ? `${counted(value / MIB)} MiB` : `${counted(value / KIB)} KiB`;
  const milliseconds = value * times[unit].of;
  const isWhole = ({ of }: { readonly of: number }) => milliseconds % of === 0;
  // One day is 24 hours.
  const fitting = Object.values(times).findLast(
    (time) => isWhole(time) && milliseconds >= (time.shown === 'days' ? 2 : 1) * time.of,
  );
  const { of, shown } = fitting ?? times.milliseconds;
  return `${counted(milliseconds / of)} ${shown}`;
}

const counted = (value: number) => value.toLocaleString('en-US');
