// `pagerctl who`: who is on call, of one schedule or of each.
import type { Fields } from '../../client/answer.ts';
import { systemClock } from '../../engine/clock.ts';
import { queryLimits } from '../../limits/queries.ts';
import type { Terminal } from '../../terminal.ts';
import {
  type ExitCode,
  findRecord,
  jsonLine,
  listIn,
  Misused,
  objectIn,
  runVerb,
  type Surroundings,
  timeOf,
} from './api.ts';
import { type Cell, tableText } from './table.ts';
import { durationText, secondsBetween, timeText } from './times.ts';

const usage = `pagerctl who [<schedule>] [--at <time>] [--cursor <cursor>] [--json]

  <schedule>         name, counter or id of an on-call schedule; default all active schedules
  --at <time>        time to check instead of now, such as 2026-11-30T18:00, in your time zone
                     unless it has an offset
  --cursor <cursor>  continue a list from its next_cursor
  --json             print the response of the API
`;

const options = { at: { type: 'string' }, cursor: { type: 'string' } } as const;

/** Answers the exit code. */
export function whoCommand(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { terminal } = surroundings;
  return runVerb(args, surroundings, {
    usage,
    options,
    positionalsMax: 1,
    async run({ values, positionals: [word] }, api) {
      const at = values.at === undefined ? {} : { at: timeOf(values.at, terminal) };
      const { cursor } = values;
      if (word === undefined) {
        const limit = String(queryLimits.pageSize);
        const body = await api.get('/on-calls/now', { limit, ...at, ...(cursor && { cursor }) });
        terminal.write(values.json ? jsonLine(body) : listText(body, terminal, at.at));
        return 0;
      }
      if (cursor !== undefined) throw new Misused('Use a schedule or --cursor, not both.');
      const schedule = await findRecord(api, { route: 'on-calls', noun: 'schedule' }, word);
      const body = await api.get(`/on-calls/${schedule['id']}/now`, at);
      const row = { name: schedule['name'], ...objectIn(body, 'now'), next: body['next'] };
      terminal.write(values.json ? jsonLine(body) : rowsText([row], terminal, at.at));
      return 0;
    },
  });
}

function listText(body: Fields, terminal: Terminal, at: string | undefined): string {
  const { next_cursor } = body;
  const rows = listIn(body, 'data');
  if (rows.length === 0) return 'No matching schedules.\n';
  const more = next_cursor === null ? '' : `There are more: --cursor ${next_cursor}\n`;
  return `${rowsText(rows, terminal, at)}${more}`;
}

function rowsText(rows: readonly Fields[], terminal: Terminal, at: string | undefined): string {
  const instant = at === undefined ? systemClock.now() : Temporal.Instant.from(at);
  const headings = ['SCHEDULE', 'ON CALL', 'UNTIL', 'FOR', 'NEXT', 'FROM'];
  const cells = rows.map((row) => {
    const next = objectIn(row, 'next');
    const user = objectIn(row, 'user');
    return [
      String(row['name']),
      personCell(user),
      timeText(row['end'], terminal.zone),
      user === null ? '-' : durationText(-secondsBetween(row['end'], instant)),
      next === null ? '-' : nameOf(objectIn(next, 'user')),
      timeText(next?.['start'], terminal.zone),
    ];
  });
  return tableText({ headings, rows: cells }, terminal);
}

const personCell = (user: Fields | null): Cell =>
  user === null ? { text: 'nobody', colour: 'red' } : nameOf(user);

const nameOf = (user: Fields | null): string =>
  `${user?.['first_name'] ?? ''} ${user?.['last_name'] ?? ''}`.trim() || '-';
