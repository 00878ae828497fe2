// Pages about all incidents: what was sent to whom, by which channel, and what became of it.
import { noticeStates } from '../../engine/ports/sending.ts';
import { queryLimits } from '../../limits/queries.ts';
import { channelNames } from '../../resources/channel-names.ts';
import {
  COUNTER,
  choice,
  flag,
  ID,
  id,
  listOf,
  optional,
  text,
  zone,
} from '../../resources/declaration/field.ts';
import { clockIn } from '../../resources/declaration/time-zone.ts';
import { nightHours } from '../../resources/night-hours.ts';
import { mayAct } from '../../resources/roles.ts';
import type { Sql } from '../../storage/database/database.ts';
import { nightsIn } from '../../storage/incidents/nights.ts';
import {
  countPages,
  listPages,
  type PageCursor,
  type PageFilters,
  type PageRow,
} from '../../storage/incidents/pages.ts';
import { keyOf } from '../../storage/records/queries.ts';
import { pageSchema } from '../answers.ts';
import { Refusal } from '../failures.ts';
import { Csv } from '../http/csv.ts';
import { timeParam } from '../oncall/params.ts';
import {
  flagParameter,
  paging,
  readPaging,
  readQuery,
  teamsParameter,
  wrongCursor,
  wrongQuery,
} from '../records/list-query.ts';
import { spanFor } from '../reports/period.ts';
import { API_PREFIX, type Call, ok, type Route } from '../route.ts';
import { renderNotice } from './notices.ts';
import { countsOf, daysOf, type Interval } from './page-counts.ts';
import { csvHead, csvOf } from './page-csv.ts';
import { pageReaderOf, seenPages } from './page-reader.ts';
import { countsShape, pageOfNotices } from './page-shapes.ts';
import { timeOrNull } from './render.ts';

const PATH = '/pages';
const COUNTED_DAYS = 30;
const channels = Object.keys(channelNames) as (keyof typeof channelNames)[];

const about = (name: string) => `Returns only pages about incidents with this ${name}.`;

/** Of the incidents, by column. */
const values = {
  service_id: optional(id(about('service_id'))),
  integration_id: optional(id(about('integration_id'))),
};

const filters = {
  user_id: optional(id('Returns only pages to this person.')),
  channel: optional(choice(channels, { doc: 'Returns only pages by this channel.' })),
  incident: optional(
    text({
      doc: 'Returns only pages about this incident: its id or number.',
      pattern: `^(${ID}|${COUNTER})$`,
      example: '42',
      max: 24,
    }),
  ),
  state: optional(
    listOf(choice(noticeStates, { doc: 'A state.' }), {
      doc: 'Returns only pages in one of these states, separated by commas.',
      max: noticeStates.length,
    }),
  ),
  test: flagParameter(
    'true returns only pages about incidents that test events opened, false only the others. Reports count only the others.',
  ),
  team_id: teamsParameter,
  ...values,
  night: optional(
    flag({
      doc: `true returns only pages to people that were created from ${nightHours.from}:00 to ${nightHours.to}:00 in the time zone of the person, or of the organization if the person has none. Requires from and to, at most ${queryLimits.reportDays} days apart.`,
    }),
  ),
  from: optional(timeParam('Returns only pages created at or after this time.')),
  to: optional(timeParam('Returns only pages created before this time.')),
};

const format = optional(
  choice(['json', 'csv'], {
    doc: `json (default), or csv for a CSV file. A file contains up to ${queryLimits.pagesExported.toLocaleString('en')} pages, or limit. The Link header contains the address of the rest.`,
  }),
);

const timezone = optional(
  zone('The time zone of the days, such as Europe/Berlin. Default: Etc/UTC.'),
);

type Parts = { readonly sql: Sql };

export const pageRoutes = (parts: Parts): readonly Route[] => [
  {
    method: 'GET',
    path: PATH,
    tag: 'incidents',
    doc: `Lists pages to people and chats about any incident, newest first, with each attempt, its masked contact, its connection and its receipt. ${seenPages} A page of the list may contain fewer entries than limit, or none, and still have a next_cursor: the list continues there.`,
    role: 'viewer',
    query: { ...paging, ...filters, format },
    answers: { status: 200, schema: pageSchema(pageOfNotices), isAlsoCsv: true },
    handle: (call) => list(parts, call),
  },
  {
    method: 'GET',
    path: `${PATH}/counts`,
    tag: 'incidents',
    doc: `Counts pages by day and state, with the same filters. ${seenPages} Default: the last ${COUNTED_DAYS} days.`,
    role: 'viewer',
    query: { ...filters, timezone },
    answers: { status: 200, schema: countsShape },
    handle: (call) => count(parts, call),
  },
];

async function filtersIn(sql: Sql, call: Call): Promise<PageFilters> {
  const { organizationId, id, kind } = call.caller;
  const {
    user_id: userId,
    incident,
    state: states,
    from,
    to,
    channel,
    ...more
  } = readQuery(filters, call);
  const { team_id: ofTeams, night, test: isTest } = more;
  const interval = intervalIn({ from, to });
  const reader = await pageReaderOf(sql, call.caller);
  const isOwnOnly = kind === 'session' && !mayAct(call.caller, 'manager');
  if (isOwnOnly && userId !== undefined && userId !== id)
    throw new Refusal('forbidden', { message: 'These are not your pages.' });
  return {
    organizationId,
    reader,
    userId,
    channel,
    // No incident has a number that is larger.
    incident: incident === undefined ? undefined : (keyOf(incident) ?? { counter: 0 }),
    states,
    isTest,
    ofTeams,
    values: readQuery(values, call),
    ...interval,
    ...(night === true && {
      night: await nightsIn(sql, organizationId, spanFor('night', interval)),
    }),
  };
}

type Span = { readonly from?: string | undefined; readonly to?: string | undefined };

function intervalIn(span: Span): Partial<Interval> {
  const from = span.from === undefined ? undefined : Temporal.Instant.from(span.from);
  const to = span.to === undefined ? undefined : Temporal.Instant.from(span.to);
  if (from && to && Temporal.Instant.compare(from, to) >= 0)
    throw wrongQuery('to', 'must be after from');
  return { ...(from && { from }), ...(to && { to }) };
}

async function list({ sql }: Parts, call: Call) {
  const query = await filtersIn(sql, call);
  const { format: wanted } = readQuery({ format }, call);
  const { limit, cursor } = readPaging(call.query);
  const before = cursor === null ? null : readCursor(cursor);
  if (wanted === 'csv') return ok(await exported(sql, call, { ...query, before }));
  return ok(await pagesOn(sql, { ...query, limit, before }));
}

/** One page of a list of pages, as it is answered. */
export async function pagesOn(sql: Sql, query: Parameters<typeof listPages>[1]) {
  const { rows, next } = await listPages(sql, query);
  return { data: rows.map(renderPage), next_cursor: next && cursorOf(next) };
}

/** Some at a time: the engine runs in this thread too. */
async function exported(
  sql: Sql,
  call: Call,
  { before, ...query }: PageFilters & { readonly before: PageCursor | null },
): Promise<Csv> {
  const { limit: wanted } = readQuery({ limit: paging.limit }, call);
  const most = wanted ?? queryLimits.pagesExported;
  const parts = [csvHead];
  let left = most;
  let next: PageCursor | null = before;
  // As many searches as full lists would take, so that a rare page is not looked for without an end.
  for (let search = 0; search * queryLimits.pageSize < most; search += 1) {
    const limit = Math.min(left, queryLimits.pageSize);
    const list = await listPages(sql, { ...query, limit, before: next });
    parts.push(csvOf(list.rows.map(renderPage)));
    left -= list.rows.length;
    next = list.next;
    if (next === null || left === 0 || call.signal.aborted) break;
  }
  return new Csv(parts.join(''), next && addressFrom(call, next));
}

const addressFrom = ({ query }: Call, next: PageCursor): string =>
  `${API_PREFIX}${PATH}?${new URLSearchParams({ ...query, cursor: cursorOf(next) })}`;

async function count({ sql }: Parts, call: Call) {
  const { timezone: named = 'Etc/UTC' } = readQuery({ timezone }, call);
  const query = await filtersIn(sql, call);
  const tomorrow = clockIn(named, call.now).add({ days: 1 }).startOfDay().toInstant();
  const days = daysOf(countedInterval(query, tomorrow), named, COUNTED_DAYS);
  const [first] = days;
  const interval = { from: first?.from, to: days.at(-1)?.to };
  const counted = await countPages(
    sql,
    { ...query, ...interval },
    days.map(({ from }) => from),
  );
  return ok({
    data: countsOf(days, counted.counts),
    complete: counted.since === null,
    ...(counted.since && { counted_from: timeOrNull(counted.since) }),
  });
}

function countedInterval({ from, to }: PageFilters, tomorrow: Temporal.Instant) {
  const end = to ?? tomorrow;
  if (from === undefined) return { to: end };
  if (Temporal.Instant.compare(from, end) >= 0) throw wrongQuery('to', 'must be after from');
  const most = from.add({ hours: 24 * queryLimits.pageCountDays });
  if (Temporal.Instant.compare(end, most) > 0)
    throw wrongQuery('to', `must be at most ${queryLimits.pageCountDays} days after from`);
  return { from, to: end };
}

function renderPage(row: PageRow): Record<string, unknown> {
  const { muted_until, step, service_name: service, ...notice } = row;
  return {
    ...renderNotice(notice, { muted_until }),
    ...(service !== null && { service }),
    ...(step >= 0 && { step: step + 1 }),
  };
}

/** Microseconds, as they are stored, and the key. */
const cursorOf = ({ at, key }: PageCursor): string =>
  `${at.epochNanoseconds / 1_000n}.${Buffer.from(key).toString('base64url')}`;

export function readCursor(text: string): PageCursor {
  const [, micros = '', encoded = ''] = /^(\d{1,16})\.([\w-]+)$/.exec(text) ?? [];
  const key = Buffer.from(encoded, 'base64url').toString();
  // No text of PostgreSQL has a zero byte.
  if (micros === '' || key.includes('\0')) throw wrongCursor();
  return { at: Temporal.Instant.fromEpochNanoseconds(BigInt(micros) * 1_000n), key };
}
