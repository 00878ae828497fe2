import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerOf, seedIncidents } from '../../../test/incident-api.ts';
import { type ReportedIncident, seedReported } from '../../../test/report-world.ts';
import { seed } from '../../../test/seed.ts';
import { type Pager, withPager } from '../../../test/stories/story.ts';
import { weekdays } from '../../resources/declaration/field.ts';
import type { Role } from '../../resources/roles.ts';
import { type Verdict, verdicts } from '../../resources/verdicts.ts';

type Api = Awaited<ReturnType<typeof seedIncidents>>;
type Reported = Awaited<ReturnType<typeof seedReported>>;

// In it the clocks change in Berlin, in New York, and on Lord Howe Island, there by half an hour.
const span = { from: '2026-03-02T00:00:00Z', to: '2026-04-20T00:00:00Z' };

const withReported = (run: (pager: Pager, api: Api, reported: Reported) => Promise<void>) =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager, []);
    const { sql, scope } = pager;
    const zones = { ada: 'America/New_York', lin: 'Australia/Lord_Howe', eve: 'Asia/Kathmandu' };
    for (const [name, timezone] of Object.entries(zones))
      await sql`update users set timezone = ${timezone} where id = ${pager.users[name] ?? ''}`;
    await sql`
      update organizations set timezone = 'Europe/Berlin' where id = ${scope.organizationId}`;
    const reported = await seedReported({
      sql,
      organizationId: scope.organizationId,
      teams: [pager.placeOf('ops').teamId, pager.placeOf('core').teamId],
      users: ['ada', 'lin', 'eve', 'boss'].map((name) => pager.users[name] ?? name),
      ...span,
      seed,
      count: 1_500,
    });
    await run(pager, api, reported);
  });

const person = (pager: Pager, name: string, role: Role) =>
  callerOf(pager, { kind: 'session', id: pager.users[name] ?? name, role });

const localOf = (at: number, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);

/** Of an even number of values, the median is between the two in the middle. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [below = 0, above = 0] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return Math.round((below + above) / 2);
}

/** The smallest value that at least 90 % do not exceed. */
function p90(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted.find((_, index) => (index + 1) * 10 >= sorted.length * 9);
  return Math.round(value ?? Number.NaN);
}

const secondsOf = (values: readonly number[]) =>
  values.length === 0 ? undefined : { median: median(values), p90: p90(values) };

const byPerson = ({ acknowledged }: ReportedIncident) =>
  acknowledged.find(({ by }) => by === 'user');

function figuresOf(incidents: readonly ReportedIncident[]) {
  const acknowledged = incidents.flatMap((one) => {
    const at = byPerson(one)?.at;
    return at === undefined ? [] : [Math.max(0, (at - one.createdAt) / 1_000)];
  });
  const resolved = incidents.flatMap(({ resolvedAt, createdAt, byTimer, isMerged }) =>
    resolvedAt === null || byTimer || isMerged ? [] : [(resolvedAt - createdAt) / 1_000],
  );
  const [first, last] = [secondsOf(acknowledged), secondsOf(resolved)];
  return {
    opened: incidents.length,
    acknowledged: acknowledged.length,
    ...(first && { acknowledge_seconds: first }),
    resolved: resolved.length,
    ...(last && { resolve_seconds: last }),
  };
}

function slowReport(incidents: readonly ReportedIncident[], timezone: string) {
  const mondayOf = (at: number) => {
    const day = localOf(at, timezone).toPlainDate();
    return day.subtract({ days: day.dayOfWeek - 1 }).toString();
  };
  const weeks = Map.groupBy(incidents, ({ createdAt }) => mondayOf(createdAt));
  const hours = Map.groupBy(incidents, ({ createdAt }) => {
    const { dayOfWeek, hour } = localOf(createdAt, timezone);
    return `${weekdays[dayOfWeek - 1]} ${hour}`;
  });
  const keys = Map.groupBy(
    incidents.filter(({ integration_id }) => integration_id !== null),
    ({ integration_id, dedup_key }) => `${integration_id} ${dedup_key}`,
  );
  const noisy = [...keys.values()].map((all) => {
    const newest = all.toSorted((a, b) => b.number - a.number)[0];
    return {
      integration_id: newest?.integration_id,
      dedup_key: newest?.dedup_key,
      opened: all.length,
      unacknowledged: all.filter((one) => byPerson(one) === undefined).length,
      suppressed: all.reduce((sum, { suppressed }) => sum + suppressed, 0),
      incident_number: newest?.number ?? 0,
      incident_title: newest?.title,
    };
  });
  return {
    verdicts: slowVerdicts(incidents),
    total: figuresOf(incidents),
    weeks: new Map([...weeks].map(([date, all]) => [date, figuresOf(all)])),
    hours: new Map([...hours].map(([at, all]) => [at, all.length])),
    keys: noisy
      .sort((a, b) => b.opened - a.opened || b.incident_number - a.incident_number)
      .slice(0, 20),
  };
}

type Counts = ReturnType<typeof verdictCounts>;

/** Of those that are resolved and were not merged. */
function verdictCounts(ended: readonly ReportedIncident[]) {
  const withVerdict = (verdict: Verdict) => ended.filter((one) => one.verdict === verdict).length;
  const counts = {
    real: withVerdict('real'),
    false_alarm: withVerdict('false_alarm'),
    nothing_to_do: withVerdict('nothing_to_do'),
    unclear: withVerdict('unclear'),
  };
  const answered = ended.filter(({ verdict }) => verdict !== null).length;
  return { ended: ended.length, answered, ...counts };
}

const noiseOf = ({ false_alarm, nothing_to_do }: Counts) => false_alarm + nothing_to_do;

function slowVerdicts(incidents: readonly ReportedIncident[]) {
  const ended = incidents.filter(({ resolvedAt, isMerged }) => resolvedAt !== null && !isMerged);
  const received = ended.filter(({ integration_id }) => integration_id !== null);
  const noisiest = <Row extends Counts>(rows: readonly Row[], later: (a: Row, b: Row) => number) =>
    rows
      .toSorted((a, b) => noiseOf(b) - noiseOf(a) || b.ended - a.ended || later(a, b))
      .slice(0, 20);
  const integrations = Map.groupBy(received, ({ integration_id }) => integration_id ?? '');
  const rules = Map.groupBy(
    ended.flatMap((one) => (one.rules ?? []).map((rule) => ({ ...one, rule }))),
    ({ rule }) => rule,
  );
  const keys = Map.groupBy(received, (one) => `${one.integration_id} ${one.dedup_key}`);
  return {
    total: verdictCounts(ended),
    integrations: noisiest(
      [...integrations].map(([integration_id, all]) => ({ integration_id, ...verdictCounts(all) })),
      (a, b) => (a.integration_id < b.integration_id ? -1 : 1),
    ),
    rules: noisiest(
      [...rules].map(([rule_id, all]) => ({ rule_id, ...verdictCounts(all) })),
      (a, b) => (a.rule_id < b.rule_id ? -1 : 1),
    ),
    keys: noisiest(
      [...keys.values()].map((all) => {
        const newest = all.toSorted((a, b) => b.number - a.number)[0];
        return {
          integration_id: newest?.integration_id,
          dedup_key: newest?.dedup_key,
          incident_number: newest?.number ?? 0,
          incident_title: newest?.title,
          ...verdictCounts(all),
        };
      }),
      (a, b) => b.incident_number - a.incident_number,
    ),
  };
}

const zones = [
  'Etc/UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
];

test('the figures about incidents are those of a slow count, in every zone and of every choice', () =>
  withReported(async (pager, api, { incidents }) => {
    const boss = person(pager, 'boss', 'admin');
    const { teamId } = pager.placeOf('core');
    const [integration, service] = [`d${'1'.padStart(23, '0')}`, `c${'2'.padStart(23, '0')}`];
    const choices: readonly (readonly [string, (one: ReportedIncident) => boolean])[] = [
      ['', () => true],
      [`&team_id=${teamId}`, ({ team_id }) => team_id === teamId],
      [`&integration_id=${integration}`, ({ integration_id }) => integration_id === integration],
      [`&service_id=${service}`, ({ service_id }) => service_id === service],
    ];
    const spans = [span, { from: '2026-03-10T15:30:00Z', to: '2026-04-05T16:00:00Z' }];
    for (const timezone of zones)
      for (const { from, to } of spans)
        for (const [query, isChosen] of choices) {
          const counted = incidents.filter(
            (one) =>
              one.createdAt >= Date.parse(from) && one.createdAt < Date.parse(to) && isChosen(one),
          );
          const slow = slowReport(counted, timezone);
          const path = `GET /reports/incidents?from=${from}&to=${to}&timezone=${timezone}${query}`;
          const { status, body } = await api.send(boss, path);
          assert.equal(status, 200, JSON.stringify(body));
          assert.deepEqual(body.total, slow.total, path);
          assert.deepEqual(body.keys, slow.keys, path);
          assert.deepEqual(body.verdicts, slow.verdicts, path);
          assert.equal(body.hours.length, 168);
          for (const { weekday, hour, opened } of body.hours)
            assert.equal(opened, slow.hours.get(`${weekday} ${hour}`) ?? 0, `${path} ${weekday}`);
          for (const { date, from: _, to: __, ...figures } of body.weeks)
            assert.deepEqual(figures, slow.weeks.get(date) ?? figuresOf([]), `${path} ${date}`);
          const dates = body.weeks.map(({ date }: { date: string }) => date);
          assert.ok([...slow.weeks.keys()].every((date) => dates.includes(date)));
          assert.equal(body.complete, true);
        }
  }));

test('tests are no figure of a report, and a list of their own', () =>
  withReported(async (pager, api, { incidents, tests }) => {
    const boss = person(pager, 'boss', 'admin');
    assert.ok(tests.length > 100);
    const period = `from=${span.from}&to=${span.to}`;
    const { body } = await api.send(boss, `GET /reports/incidents?${period}`);
    assert.equal(body.total.opened, incidents.length);
    const numbersOf = async (query: string) => {
      const numbers: number[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const next: string = cursor && `&cursor=${cursor}`;
        const page = await api.send(boss, `GET /incidents?${query}&limit=200${next}`);
        assert.equal(page.status, 200, JSON.stringify(page.body));
        numbers.push(...page.body.data.map(({ number }: { number: number }) => number));
        cursor = page.body.next_cursor;
      }
      return numbers.sort((a, b) => a - b);
    };
    const of = (all: readonly ReportedIncident[]) => all.map(({ number }) => number);
    assert.deepEqual(await numbersOf('test=true'), of(tests));
    assert.deepEqual(await numbersOf('test=false'), of(incidents));
    const wanted = tests.filter(({ resolvedAt, isMerged }) => resolvedAt !== null && !isMerged);
    const none = await numbersOf('test=true&status=resolved&verdict=none,real,unclear');
    assert.ok(wanted.length > 0);
    assert.deepEqual(none, []);
  }));

test('a cell of the hours is the list of incidents with that weekday and hour', () =>
  withReported(async (pager, api) => {
    const boss = person(pager, 'boss', 'admin');
    const period = `from=${span.from}&to=${span.to}&timezone=Australia/Lord_Howe`;
    const { body } = await api.send(boss, `GET /reports/incidents?${period}`);
    const cells = body.hours.filter(({ hour }: { hour: number }) => [0, 2, 23].includes(hour));
    assert.equal(cells.length, 21);
    for (const { weekday, hour, opened } of cells) {
      const path = `GET /incidents?${period}&weekday=${weekday}&hour=${hour}&test=false&limit=200`;
      const list = (await api.send(boss, path)).body;
      assert.equal(list.data.length, opened, path);
    }
    const sundays = await api.send(
      boss,
      `GET /incidents?${period}&weekday=sunday&test=false&limit=200`,
    );
    const onSundays = body.hours.filter(({ weekday }: { weekday: string }) => weekday === 'sunday');
    const total = onSundays.reduce(
      (sum: number, { opened }: Record<'opened', number>) => sum + opened,
      0,
    );
    assert.equal(sundays.body.data.length, Math.min(200, total));
  }));

test('a count of what was acknowledged, and of what was not, is a list of incidents', () =>
  withReported(async (pager, api) => {
    const boss = person(pager, 'boss', 'admin');
    const period = `from=${span.from}&to=${span.to}`;
    const { body } = await api.send(boss, `GET /reports/incidents?${period}`);
    assert.ok(body.keys.length > 3);
    for (const { integration_id, dedup_key, opened, unacknowledged } of body.keys) {
      const key = `source_integration_id=${integration_id}&dedup_key=${encodeURIComponent(dedup_key)}`;
      for (const acknowledged of [true, false]) {
        const path = `GET /incidents?${period}&${key}&acknowledged=${acknowledged}&test=false&limit=200`;
        const { status, body: page } = await api.send(boss, path);
        const count = acknowledged ? opened - unacknowledged : unacknowledged;
        assert.deepEqual([status, page.data.length, page.next_cursor], [200, count, null], path);
      }
    }
  }));

test('a verdict count of an integration, a rule or a key is a list of incidents', () =>
  withReported(async (pager, api) => {
    const boss = person(pager, 'boss', 'admin');
    const period = `from=${span.from}&to=${span.to}`;
    const { body } = await api.send(boss, `GET /reports/incidents?${period}`);
    const { integrations, rules, keys } = body.verdicts;
    const rows: readonly (readonly [string, Counts])[] = [
      ...integrations.map((one: { integration_id: string }) => [
        `source_integration_id=${one.integration_id}`,
        one,
      ]),
      ...rules.map((one: { rule_id: string }) => [`rule_id=${one.rule_id}`, one]),
      ...keys
        .slice(0, 3)
        .map((one: { integration_id: string; dedup_key: string }) => [
          `source_integration_id=${one.integration_id}&dedup_key=${encodeURIComponent(one.dedup_key)}`,
          one,
        ]),
    ];
    assert.equal(rows.length, 2 + 3 + 3);
    const listed = async (query: string) => {
      const path = `GET /incidents?${period}&${query}&limit=200`;
      const { status, body: page } = await api.send(boss, path);
      assert.equal(status, 200, path);
      return page.data.length + (page.next_cursor === null ? 0 : 1);
    };
    for (const [query, counts] of rows) {
      for (const verdict of verdicts)
        assert.equal(await listed(`${query}&verdict=${verdict}`), counts[verdict], query);
      const all = await listed(`${query}&verdict=${[...verdicts, 'none']}`);
      assert.equal(all, Math.min(201, counts.ended), query);
    }
  }));

const nights: Readonly<Record<string, string>> = {
  ada: 'America/New_York',
  lin: 'Australia/Lord_Howe',
  eve: 'Asia/Kathmandu',
  boss: 'Europe/Berlin',
};

test('the figures about pages are those of a slow count, and each is a list of pages', () =>
  withReported(async (pager, api, { pages }) => {
    const boss = person(pager, 'boss', 'admin');
    const { teamId } = pager.placeOf('ops');
    const isCounted = ({ kind }: { kind: string }) => kind === 'page' || kind === 'nobody_paged';
    const inSpan = pages.filter((one) => isCounted(one) && one.createdAt < Date.parse(span.to));
    for (const [query, counted] of [
      ['', inSpan],
      [`&team_id=${teamId}`, inSpan.filter(({ incident }) => incident.team_id === teamId)],
    ] as const) {
      const period = `from=${span.from}&to=${span.to}${query}`;
      const { body } = await api.send(boss, `GET /reports/pages?${period}`);
      const people = Object.entries(nights).map(([name, timezone]) => {
        const user_id = pager.users[name] ?? name;
        const sent = counted.filter(({ userId, state }) => userId === user_id && state === 'sent');
        const night = sent.filter(({ createdAt }) => {
          const { hour } = localOf(createdAt, timezone);
          return hour >= 22 || hour < 7;
        });
        return { user_id, pages: sent.length, night: night.length };
      });
      const byId = (a: { user_id: string }, b: { user_id: string }) =>
        a.user_id.localeCompare(b.user_id);
      assert.deepEqual(
        body.people
          .map(({ name: _, ...rest }: { name: string; user_id: string }) => rest)
          .sort(byId),
        people.sort(byId),
      );
      assert.ok(body.people[0].night >= body.people[1].night);
      for (const { channel, ...states } of body.channels)
        for (const [state, count] of Object.entries(states))
          assert.equal(
            count,
            counted.filter((one) => one.channel === channel && one.state === state).length,
            `${channel} ${state}`,
          );
      for (const { user_id, night } of body.people) {
        const path = `GET /pages?${period}&user_id=${user_id}&night=true&state=sent&test=false&limit=200`;
        const list = (await api.send(boss, path)).body;
        assert.equal(list.data.length, Math.min(200, night), path);
        const counts = (
          await api.send(boss, path.replace('/pages?', '/pages/counts?').replace('&limit=200', ''))
        ).body;
        assert.equal(
          counts.data.reduce((sum: number, { sent }: { sent: number }) => sum + sent, 0),
          night,
        );
      }
    }
  }));

test('everybody gets figures of what they may read, and of nothing else', () =>
  withReported(async (pager, api, { incidents, pages }) => {
    const [ops, core] = [pager.placeOf('ops').teamId, pager.placeOf('core').teamId];
    const key = (role: Role, teamIds: readonly string[] | null) =>
      callerOf(pager, { role, teamIds });
    const period = `from=${span.from}&to=${span.to}`;
    const ofIncidents = async (caller: ReturnType<typeof callerOf>, query = '') =>
      (await api.send(caller, `GET /reports/incidents?${period}${query}`)).body.total.opened;
    const inCore = incidents.filter(({ team_id }) => team_id === core).length;
    assert.equal(await ofIncidents(person(pager, 'ada', 'viewer')), incidents.length);
    assert.equal(await ofIncidents(key('viewer', null)), incidents.length);
    assert.equal(await ofIncidents(key('viewer', [core])), inCore);
    assert.equal(await ofIncidents(key('viewer', [core]), `&team_id=${ops}`), 0);
    assert.equal(await ofIncidents(key('owner', [])), 0);
    const other = callerOf(pager, { organizationId: 'f'.repeat(24), role: 'owner' });
    assert.equal(await ofIncidents(other), 0);

    const isPage = ({ kind }: { kind: string }) => kind !== 'all_clear';
    const inSpan = pages.filter((one) => isPage(one) && one.createdAt < Date.parse(span.to));
    const own = (name: string) => (one: (typeof pages)[number]) => one.userId === pager.users[name];
    const ofTeam = (team: string) => (one: (typeof pages)[number]) => one.incident.team_id === team;
    const rows: readonly (readonly [
      string,
      ReturnType<typeof callerOf>,
      (one: (typeof pages)[number]) => boolean,
    ])[] = [
      ['a viewer, own pages', person(pager, 'ada', 'viewer'), own('ada')],
      ['a responder, own pages', person(pager, 'lin', 'responder'), own('lin')],
      [
        'a manager, own pages and those of the team',
        person(pager, 'eve', 'manager'),
        (one) => own('eve')(one) || ofTeam(ops)(one),
      ],
      ['an admin, all', person(pager, 'boss', 'admin'), () => true],
      ['a key, all', key('manager', null), () => true],
      ['a key of a team, of that', key('manager', [core]), ofTeam(core)],
      ['a key without teams, nothing', key('owner', []), () => false],
      ['another organization, nothing', other, () => false],
    ];
    for (const [title, caller, isSeen] of rows) {
      const { status, body } = await api.send(caller, `GET /reports/pages?${period}`);
      assert.equal(status, 200, `${title}: ${JSON.stringify(body)}`);
      const total = body.channels.reduce(
        (sum: number, { sent, pending, failed, cancelled }: Record<string, number>) =>
          sum + (sent ?? 0) + (pending ?? 0) + (failed ?? 0) + (cancelled ?? 0),
        0,
      );
      assert.equal(total, inSpan.filter(isSeen).length, title);
      assert.equal(JSON.stringify(body).includes('@'), false, title);
    }
    for (const role of ['viewer', 'responder'] as const)
      assert.equal((await api.send(key(role, null), `GET /reports/pages`)).status, 403, role);
  }));

test('without a period it is the last four weeks, and what was removed is reported', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    const boss = person(pager, 'boss', 'admin');
    const { body } = await api.send(boss, 'GET /reports/incidents?timezone=Europe/Berlin');
    assert.deepEqual(
      [body.from, body.to, body.timezone, body.total.opened],
      ['2026-02-02T23:00:00.000Z', '2026-03-02T23:00:00.000Z', 'Europe/Berlin', 2],
    );
    assert.equal('timelines_removed_before' in body, false);
    await pager.sql`
      insert into removals (organization_id, kind, until, removed)
      values (${pager.scope.organizationId}, 'timelines', '2026-01-01T00:00:00Z', 3),
        (${pager.scope.organizationId}, 'outbox', '2026-01-02T00:00:00Z', 3)`;
    const later = (await api.send(boss, 'GET /reports/incidents')).body;
    assert.equal(later.timelines_removed_before, '2026-01-01T00:00:00.000Z');
    const pages = (await api.send(boss, 'GET /reports/pages')).body;
    assert.equal(pages.pages_removed_before, '2026-01-02T00:00:00.000Z');
  }));

test('what a report cannot be about is refused at its name', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager, []);
    const boss = person(pager, 'boss', 'admin');
    const refused: readonly (readonly [string, string])[] = [
      ['reports/incidents?from=yesterday', 'from'],
      ['reports/incidents?from=2026-03-02T09:00:00Z&to=2026-03-02T09:00:00Z', 'to'],
      ['reports/incidents?from=2025-01-01T00:00:00Z&to=2026-01-03T00:00:00Z', 'to'],
      ['reports/incidents?timezone=Mars/Base', 'timezone'],
      ['reports/incidents?service_id=payments', 'service_id'],
      ['reports/incidents?team_id=ops', 'team_id'],
      ['reports/incidents?format=xml', 'format'],
      ['reports/incidents?format=csv&table=people', 'table'],
      ['reports/pages?table=weeks', 'table'],
      ['reports/pages?to=2020-01-01T00:00:00Z&from=2021-01-01T00:00:00Z', 'to'],
      ['incidents?hour=3', 'from'],
      ['incidents?weekday=monday&from=2026-03-02T09:00:00Z', 'to'],
      ['incidents?hour=24', 'hour'],
      ['incidents?weekday=mon', 'weekday'],
      ['incidents?hour=3&from=2025-01-01T00:00:00Z&to=2026-03-02T09:00:00Z', 'to'],
      ['pages?night=true', 'from'],
      ['pages?night=true&from=2025-01-01T00:00:00Z&to=2026-03-02T09:00:00Z', 'to'],
      ['pages?night=maybe', 'night'],
    ];
    for (const [path, at] of refused) {
      const { status, body } = await api.send(boss, `GET /${path}`);
      assert.deepEqual([status, body.issues?.[0]?.path], [422, at], path);
    }
  }));

test('each table is a CSV file, whose cells run nothing', () =>
  withReported(async (pager, api) => {
    const boss = person(pager, 'boss', 'admin');
    await pager.sql`update incidents set title = '=1+1'`;
    const read = async (report: string, table: string) => {
      const path = `GET /reports/${report}?from=${span.from}&to=${span.to}&format=csv&table=${table}`;
      const { status, body, headers } = await api.send(boss, path);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(headers['content-disposition'], `attachment; filename="${report}-${table}.csv"`);
      return body.trimEnd().split('\r\n') as string[];
    };
    const weeks = await read('incidents', 'weeks');
    assert.equal(weeks.length, 8);
    assert.match(weeks[0] ?? '', /^date,from,to,opened,acknowledged,acknowledge_seconds_median,/);
    assert.match(weeks[1] ?? '', /^2026-03-02,2026-03-02T00:00:00.000Z,/);
    assert.equal((await read('incidents', 'hours')).length, 169);
    const keys = await read('incidents', 'keys');
    assert.equal(keys.length, 21);
    assert.ok(keys[1]?.endsWith(",'=1+1"));
    const byRule = await read('incidents', 'verdicts_by_rule');
    assert.equal(byRule[0], 'rule_id,rule,ended,answered,real,false_alarm,nothing_to_do,unclear');
    assert.match(byRule[1] ?? '', /^f[0-9a-f]{23},,\d+,\d+,/);
    assert.equal((await read('incidents', 'verdicts_by_integration')).length, 3);
    assert.ok((await read('incidents', 'verdicts_by_key'))[1]?.endsWith(",'=1+1"));
    assert.equal((await read('pages', 'people')).length, 5);
    assert.equal((await read('pages', 'channels')).length, 4);
  }));
