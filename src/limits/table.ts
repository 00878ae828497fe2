// The tables of limits in docs/operating.md.
import { access } from './access.ts';
import { computing } from './computing.ts';
import { database } from './database.ts';
import { eventStream } from './event-stream.ts';
import { events } from './events.ts';
import { http } from './http.ts';
import { incidents } from './incidents.ts';
import { KIB, type Limit, type Limits, MIB } from './limit.ts';
import { mail } from './mail.ts';
import { memory } from './memory.ts';
import { queries } from './queries.ts';
import { running } from './running.ts';
import { sending } from './sending.ts';

const groups: readonly (readonly [title: string, Limits])[] = [
  ['Requests', http],
  ['Alert mail', mail],
  ['Events', events],
  ['Sign-in, keys and links', access],
  ['API queries', queries],
  ['The event stream', eventStream],
  ['Computations in worker threads', computing],
  ['Incidents, rules, playbooks and shifts', incidents],
  ['Sending notices', sending],
  ['The database', database],
  ['Starting and stopping', running],
  ['Caches', memory],
];

export const limitsTables = (): string => groups.map(tableOf).join('\n\n');

function tableOf([title, limits]: (typeof groups)[number]): string {
  const rows = Object.values(limits).map((limit) => {
    const { of, beyond } = limit;
    return `| ${of} | ${formatValue(limit)} | ${beyond} |`;
  });
  return [`### ${title}`, '', '| Limit | Value | Beyond it |', '|---|---|---|', ...rows].join('\n');
}

const times = {
  milliseconds: { of: 1, label: 'ms' },
  seconds: { of: 1_000, label: 's' },
  minutes: { of: 60_000, label: 'min' },
  hours: { of: 3_600_000, label: 'h' },
  days: { of: 86_400_000, label: 'days' },
} as const;

export function formatValue({ value, unit }: Pick<Limit, 'value' | 'unit'>): string {
  if (unit === 'count') return formatCount(value);
  if (unit === 'percent') return `${value} %`;
  if (unit === 'bytes')
    return value % MIB === 0
      ? `${formatCount(value / MIB)} MiB`
      : `${formatCount(value / KIB)} KiB`;
  const milliseconds = value * times[unit].of;
  const isWhole = ({ of }: { readonly of: number }) => milliseconds % of === 0;
  // A single day is written as 24 h.
  const fitting = Object.values(times).findLast(
    (time) => isWhole(time) && milliseconds >= (time.label === 'days' ? 2 : 1) * time.of,
  );
  const { of, label } = fitting ?? times.milliseconds;
  return `${formatCount(milliseconds / of)} ${label}`;
}

const formatCount = (value: number) => value.toLocaleString('en-US');
