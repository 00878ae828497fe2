// The verbs of people at a terminal, as a process, over a real server.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { childEnvironment } from '../child-environment.ts';
import { anyDatabase } from '../database.ts';
import { postJson, type Reply } from './api-client.ts';
import { type InProcess, inProcessKey, startInProcess } from './in-process.ts';

const program = join(import.meta.dirname, '..', '..', 'bin', 'pagerctl.js');

let server: InProcess;
let integration: Reply['body'];

before(async () => {
  server = await startInProcess(await anyDatabase(), {});
  [integration] = await server.api.list('integrations');
  for (const title of ['Disk full', '支付 late', 'Queue long'])
    await postJson(`${integration.webhook_url}push-events`, { title });
});
after(() => server[Symbol.asyncDispose]());

type Ended = { readonly code: unknown; readonly out: string; readonly err: string };

function pagerctl(
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  input = '',
): Promise<Ended> {
  const env = {
    ...childEnvironment(),
    TZ: 'Asia/Tokyo',
    PAGER_API_KEY: inProcessKey,
    PAGER_BASE_URL: `${server.url}/api/v1`,
    ...environment,
  };
  return new Promise((done) => {
    const child = execFile(process.execPath, [program, ...words], { env }, (_, out, err) =>
      done({ code: child.exitCode, out, err }),
    );
    child.stdin?.end(input);
  });
}

/** What the API answers, as it was sent. */
async function answered(path: string): Promise<string> {
  const headers = { 'x-api-key': inProcessKey };
  return (await fetch(`${server.url}/api/v1${path}`, { headers })).text();
}

test('what is open is a table for eyes', async () => {
  const { code, out } = await pagerctl(['incidents']);
  assert.equal(code, 0);
  const [first] = await server.api.list('services');
  const service = first.name.padEnd(Math.max(7, first.name.length));
  assert.deepEqual(out.replaceAll(/ \d+[ms](?: \d+s)? +/g, ' AGE ').split('\n'), [
    `INCIDENT  STATUS     PRIORITY  SEVERITY  AGE  ${'SERVICE'.padEnd(service.length)}  TITLE`,
    `INC-3     triggered  -         -         AGE ${service}  Queue long`,
    `INC-2     triggered  -         -         AGE ${service}  支付 late`,
    `INC-1     triggered  -         -         AGE ${service}  Disk full`,
    '',
  ]);
});

test('for scripts it is what the API answers', async () => {
  const { out } = await pagerctl(['incidents', '--json', '--limit', '1']);
  assert.equal(out, `${await answered('/incidents?status=open&limit=1')}\n`);
  const { next_cursor } = JSON.parse(out);
  const next = await pagerctl(['incidents', '--all', '--json', '--cursor', next_cursor]);
  assert.equal(next.out, `${await answered(`/incidents?cursor=${next_cursor}`)}\n`);
});

test('a service is named as people call it, and the one that was meant is told', async () => {
  const other = await server.api.create('services', { name: 'Quiet' });
  await server.api.create('services', { name: 'Bell \u0007, \u001b[31mred' });
  const of = (service: string) => pagerctl(['incidents', '--service', service]);
  assert.equal((await of('Quiet')).out, 'No matching incidents.\n');
  assert.equal((await of(String(other.counter))).out, 'No matching incidents.\n');
  assert.deepEqual(await of('Quie'), {
    code: 1,
    out: '',
    err: 'There is no service Quie. Did you mean Quiet?\n',
  });
  assert.match((await of('Bel \u0007, \u001b[31mred')).err, /Did you mean Bell \\u\{7\}, red\?\n$/);
});

test('incidents are acknowledged and resolved by number, and it is told what is true then', async () => {
  const acked = await pagerctl(['ack', '1', 'INC-2', '999']);
  assert.deepEqual(
    [acked.code, acked.out],
    [1, 'INC-1 is acknowledged: Disk full\nINC-2 is acknowledged: 支付 late\n'],
  );
  assert.match(acked.err, /^INC-999: \S.* \(request \S+\)\n$/);
  const resolved = await pagerctl(['resolve', '2', '--json']);
  assert.deepEqual([resolved.code, resolved.out], [0, `${await answered('/incidents/2')}\n`]);
  const late = await pagerctl(['ack', '2']);
  assert.deepEqual([late.code, late.out], [1, '']);
  assert.match(late.err, /^INC-2: The action was refused: INC-2 is resolved\. /);
  const { out } = await pagerctl(['incidents', '--status', 'resolved', '--json']);
  assert.deepEqual(
    JSON.parse(out).data.map(({ number }: { number: number }) => number),
    [2],
  );
});

test('who is on call is told by name, until when, and then too', async () => {
  const [owner] = await server.api.list('users');
  const ada = await server.api.create('users', {
    email: 'ada@example.test',
    first_name: 'Ada',
    last_name: 'Example',
    role: 'responder',
  });
  const rotation = { length: 1, unit: 'days', handoff: '06:00' };
  await server.api.create('on-calls', {
    name: 'Night \u001b[2Jshift',
    timezone: 'UTC',
    layers: [{ users: [owner.id], rotation }],
  });
  await server.api.create('on-calls/1/overrides', {
    user_id: ada.id,
    start: '2030-01-01T18:00:00Z',
    end: '2030-01-02T06:00:00Z',
  });
  const at = '2030-01-01T21:00:00Z';
  const table = [
    'SCHEDULE     ON CALL      UNTIL                    FOR  NEXT   FROM',
    'Night shift  Ada Example  2030-01-02 15:00 +09:00  9h   owner  2030-01-02 15:00 +09:00',
    '',
  ];
  const [each, one, json] = await Promise.all([
    pagerctl(['who', '--at', at]),
    pagerctl(['who', '1', '--at', '2030-01-02T06:00']),
    pagerctl(['who', '1', '--at', at, '--json']),
  ]);
  assert.deepEqual(each.out.split('\n'), table);
  assert.equal(one.out, each.out);
  assert.equal(json.out, `${await answered(`/on-calls/1/now?at=${at}`)}\n`);
});

test('what an alert would do is a story, and what the tool sends may be given', async () => {
  const words = ['simulate', '--at', '2030-01-01T09:00', '--ack-after', '12'];
  const [tables, json] = await Promise.all([
    pagerctl([...words, '--title', 'Disk full', '--severity', 'sev2']),
    pagerctl([...words, '--title', 'Disk full', '--integration', integration.name, '--json']),
  ]);
  const flags = ['--title', 'Disk full', '--severity', 'sev2', '--service', '1'];
  assert.equal((await pagerctl([...words, ...flags])).out, tables.out);
  assert.deepEqual(tables.out.split('\n'), [
    'Disk full: opened',
    '',
    'TIME                     AFTER  WHAT',
    '2030-01-01 09:00 +09:00  0s     Opened by an alert to First webhook, on First service',
    '2030-01-01 09:00 +09:00  0s     Step 1 of 1 pages owner by e-mail',
    '2030-01-01 09:00 +09:00  0s     The page to owner by e-mail was sent',
    '2030-01-01 09:12 +09:00  12m    Somebody acknowledged, so nobody else is paged',
    '',
    'AFTER  WHO    BY     WHAT  REACHED',
    '0s     owner  email  page  yes',
    '',
    'After 12m: All incidents are acknowledged, and nobody else is paged.',
    '',
  ]);
  const { entries } = JSON.parse(json.out);
  assert.equal(entries[0].at, '2030-01-01T00:00:00.000Z');
  const sent = await pagerctl(['simulate', '--event', '-'], {}, '{"title": "From a pipe"}');
  assert.match(sent.out, /^From a pipe: opened\n/);
  const incident = await pagerctl(['simulate', '--incident', '3']);
  assert.deepEqual([incident.code, incident.err], [0, '']);
});

test('what is wrong with the words or the settings is one sentence, and the exit code 2', async () => {
  const run = async (words: readonly string[], environment: NodeJS.ProcessEnv = {}) => {
    const { code, out, err } = await pagerctl(words, environment);
    assert.equal(out, '');
    return [code, err.split('\n')[0]];
  };
  assert.deepEqual(await run(['ack']), [2, 'Enter the numbers of the incidents to acknowledge.']);
  assert.deepEqual(await run(['resolve', 'disk']), [2, 'disk is not the number of an incident.']);
  assert.deepEqual(await run(['incidents', '--al']), [2, 'There is no --al. Did you mean --all?']);
  assert.deepEqual(await run(['incidents'], { PAGER_API_KEY: '' }), [
    2,
    'Set PAGER_API_KEY to an API key of your organization.',
  ]);
  assert.deepEqual(await run(['incidents'], { PAGER_API_KEY: 'pgr_other' }), [
    1,
    'The server rejects the key in PAGER_API_KEY. It is wrong, revoked or expired.',
  ]);
});

test('beside the server its settings tell where the API is', async () => {
  const environment = { PAGER_BASE_URL: '', PAGER_LISTEN: new URL(server.url).host };
  const { out } = await pagerctl(['incidents', '--json', '--all', '--limit', '1'], environment);
  assert.equal(out, `${await answered('/incidents?limit=1')}\n`);
});
