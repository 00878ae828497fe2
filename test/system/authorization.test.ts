// Every route, asked by callers of every kind: the answers are those of authorization.txt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sql } from '../../src/storage/database/database.ts';
import { canaryId } from '../../src/storage/health/canary.ts';
import { anyDatabase } from '../database.ts';
import { type Expected, expected, isAs, type Line, table } from './authorization-table.ts';
import { secretKey, seedWorld, type World } from './authorization-world.ts';
import { type Caller, spoken } from './callers.ts';
import { type InProcess, startInProcess } from './in-process.ts';
import { type ApiDocument, filled, operations, operationsOf, placesIn } from './operations.ts';
import type { Ids } from './tenants.ts';

type Probe = {
  readonly line: Line;
  readonly caller: Caller;
  readonly target: Ids;
  readonly body: object;
  readonly wanted: Expected;
};

const hasBody = new Map(operations.map((one) => [one.request, one.hasBody]));
/** For whoever is let in: every schema refuses it. */
const invalid = { no_such_field: true };

function probesOf({ ids, variants, validBodies, callers }: World): readonly Probe[] {
  return table.flatMap((line) => {
    const variant = line.variant === '' ? {} : variants[line.variant];
    assert.ok(variant, `the test has no body or target for the words (${line.variant})`);
    const probe = (caller: Caller, own: Ids): Probe => {
      const target = { ...ids, ...variant.ids, ...own };
      const wanted = expected(line, caller, own === caller.own);
      const isChanging = wanted === 'let in' && hasBody.get(line.request);
      const body = variant.body ?? (isChanging ? invalid : (validBodies[line.request] ?? {}));
      return { line, caller, target, body, wanted };
    };
    const isOfPerson = placesIn(line.request)[0] === 'user' && line.variant === '';
    return callers.flatMap((caller) => [
      probe(caller, {}),
      ...(isOfPerson && caller.kind === 'session' ? [probe(caller, caller.own)] : []),
    ]);
  });
}

async function answerTo(pager: InProcess, { line, caller, target, body }: Probe) {
  const [method = '', path = ''] = filled(line.request, [target, target]).split(' ');
  const sent = hasBody.get(line.request) && { body: JSON.stringify(body) };
  // Of no record: whoever is let in changes nothing that has a version.
  const isStale = line.variant === '' && /^(PUT|PATCH|DELETE)$/.test(method);
  const response = await fetch(`${pager.url}/api/v1${path}`, {
    method,
    headers: {
      ...caller.headers,
      ...(sent && { 'content-type': 'application/json' }),
      ...(isStale && { 'if-match': '"999999999"' }),
    },
    ...sent,
  });
  const isEndless = response.headers.get('content-type')?.includes('event-stream');
  if (isEndless) await response.body?.cancel();
  const answer = isEndless ? {} : ((await response.json()) as { error?: string });
  return { status: response.status, error: answer.error };
}

/** What is wrong, in words; nothing if the answer is as the table has it. */
async function problemsOf(pager: InProcess, probe: Probe): Promise<readonly string[]> {
  const answer = await answerTo(pager, probe);
  const { line, caller, wanted } = probe;
  // Who guesses keys has to wait.
  const isLimited = caller.kind === 'stranger' && answer.status === 429;
  if (isAs(wanted, answer) || isLimited) return [];
  const variant = line.variant && ` (${line.variant})`;
  const got = [answer.status, answer.error].filter(Boolean).join(' ');
  return [`${line.request}${variant}: ${spoken(caller)}: ${got}, not ${wanted}`];
}

/** The requests of one caller after each other, those of all callers at once. */
async function run(pager: InProcess, probes: readonly Probe[]): Promise<readonly string[]> {
  const ofCallers = Map.groupBy(probes, ({ caller }) => caller).values();
  const problems = await Promise.all(
    Array.from(ofCallers, async (own) => {
      const problems: string[] = [];
      for (const probe of own) problems.push(...(await problemsOf(pager, probe)));
      return problems;
    }),
  );
  return problems.flat();
}

const lastUse = ['last_used_at', 'used_at'];
/**
 * Written by the server itself, whoever requests what: it checks connections, renews sessions, and
 * notes that it is there.
 */
const ofLoops = [
  ...['auth_sessions', 'channel_health', 'connection_checks', 'connection_health', 'presence'],
  'server_clocks',
];

/**
 * What is stored, but for the times at which keys and sessions were last used, and the canary, which
 * opens an incident of its own now and then.
 */
async function stored(sql: Sql): Promise<Readonly<Record<string, string>>> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and relname <> all(${ofLoops})`;
  const hash = async (name: string) => {
    const [row] = await sql<{ hash: string }[]>`
      select md5(coalesce(string_agg(row, ',' order by row), '')) as hash
      from (
        select (row - ${lastUse}::text[])::text as row
        from (select to_jsonb(t) as row from ${sql(name)} t) rows
        where row ->> 'organization_id' is distinct from ${canaryId}
      ) rows`;
    return [name, row?.hash ?? ''] as const;
  };
  return Object.fromEntries(await Promise.all(tables.map(({ name }) => hash(name))));
}

test('every route has a line, and the line says what its declaration does', () => {
  const texts = (all: readonly (readonly unknown[])[]) => all.map((one) => one.join(' ')).sort();
  const lines = table
    .filter(({ variant }) => variant === '')
    .map(({ request, role, keys }) => [request, role, keys.endsWith('_only')]);
  const declared = operations.map(({ request, role, isForSessionsOnly }) => [
    ...[request, role, isForSessionsOnly],
  ]);
  assert.deepEqual(texts(lines), texts(declared));
});

test('callers get what the table says, and a refused request changes nothing', async (t) => {
  await using pager = await startInProcess(await anyDatabase(), { PAGER_SECRET_KEY: secretKey });
  const served = (await (await fetch(`${pager.url}/openapi.json`)).json()) as ApiDocument;
  assert.deepEqual(operationsOf(served), operations);
  const world = await seedWorld(pager);
  const probes = probesOf(world);
  // Else their next steps would run meanwhile.
  const { body: triggered } = await pager.api.send('GET /incidents?status=triggered');
  for (const { id } of triggered.data) await pager.api.send(`POST /incidents/${id}/acknowledge`);
  await pager.calm();

  const before = await stored(pager.sql);
  const refused = probes.filter(({ wanted }) => wanted !== 'let in');
  const problems = [...(await run(pager, refused))];
  const after = await stored(pager.sql);

  const letIn = probes.filter(({ wanted }) => wanted === 'let in');
  const { true: removing = [], false: others = [] } = Object.groupBy(letIn, ({ line }) =>
    line.request in world.removable ? 'true' : 'false',
  );
  for (const probe of removing) {
    const target = { ...probe.target, ...(await world.removable[probe.line.request]?.()) };
    problems.push(...(await problemsOf(pager, { ...probe, target })));
  }
  problems.push(...(await run(pager, others)));

  assert.equal(problems.sort().join('\n'), '');
  assert.deepEqual(after, before);
  t.diagnostic(`${refused.length} requests refused, ${letIn.length} let in`);
  assert.ok(refused.length > 4_000 && letIn.length > 1_500);
});
