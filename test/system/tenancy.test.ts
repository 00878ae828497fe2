// Every route, with everything in it that names something, asked by those whom it does not belong to.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { anyDatabase } from '../database.ts';
import type { Api } from './api-client.ts';
import { startInProcess } from './in-process.ts';
import { filled, kinds, operations, placesIn } from './operations.ts';
import { bodiesOf, patiently, seedAll, seedKey, seedOutsider, type Tenant } from './tenants.ts';

const secretKey = 'a secret key that the tenants share';

async function setting() {
  const pager = await startInProcess(await anyDatabase(), { PAGER_SECRET_KEY: secretKey });
  const [team] = await pager.api.list('teams');
  const [user] = await pager.api.list('users');
  const ids = { team: team.id, user: user.id };
  const victim = await seedAll({ api: pager.api, name: 'Victim', ids });
  return { pager, victim };
}

const send = (api: Api, request: string, body?: object) =>
  patiently(() => api.send(request, request.startsWith('GET') ? undefined : (body ?? {})));

/** All of the victim that has a version, or can be changed at all. */
async function stateOf({ api, ids }: Tenant): Promise<unknown> {
  const unread: readonly string[] = ['calendar-feeds', 'channel-connections'];
  const read = Object.entries(kinds).filter(([route]) => !unread.includes(route));
  const answers = [];
  for (const [route, kind] of read)
    answers.push((await send(api, `GET /${route}/${ids[kind]}`)).body);
  return answers.map(({ last_used_at: _, ...body }) => body);
}

const idsOf = (tenants: readonly Tenant[]) => tenants.map(({ ids }) => ids);

/** No such request is done, and no answer names anything of the victim. */
async function probePaths(intruder: Tenant, victim: Tenant): Promise<number> {
  let count = 0;
  for (const { request } of operations.filter((one) => placesIn(one.request).length > 0)) {
    const ways =
      placesIn(request).length > 1
        ? [
            [intruder, victim],
            [victim, victim],
          ]
        : [[victim]];
    const body = bodiesOf(intruder.ids, intruder.name)[request];
    for (const tenants of ways) {
      const line = filled(request, idsOf(tenants));
      const { status, body: answer } = await send(intruder.api, line, body);
      count += 1;
      // People are of the whole organisation, and may be seen in all of it.
      const isSeen = intruder.ids['user'] === victim.ids['user'] && line.includes(' /users/');
      const isRefused = status >= 400 && status < 500;
      assert.ok(isRefused || isSeen, `${line} ${status} ${JSON.stringify(answer)}`);
      assert.doesNotMatch(JSON.stringify(answer), /victim/i, line);
      const isOfSession = answer.error === 'session_only';
      if (/^(GET|DELETE)/.test(line) && !isSeen && !isOfSession) assert.equal(status, 404, line);
    }
  }
  return count;
}

/** Whether others' things of that kind may be named there; `before`: what stands before it. */
type IsShared = (kind: string, before: string) => boolean;

/** The same of ids in bodies: each, by itself, is the victim's. */
async function probeBodies(intruder: Tenant, victim: Tenant, isShared: IsShared): Promise<number> {
  let count = 0;
  for (const [request, body] of Object.entries(bodiesOf(intruder.ids, intruder.name))) {
    const text = JSON.stringify(body);
    const line = filled(request, [intruder.ids]);
    for (const [kind, own] of Object.entries(intruder.ids)) {
      const theirs = victim.ids[kind] ?? '';
      for (let at = text.indexOf(own); at >= 0; at = text.indexOf(own, at + 1)) {
        if (isShared(kind, text.slice(text.lastIndexOf('{', at), at))) continue;
        const wrong = JSON.parse(text.slice(0, at) + theirs + text.slice(at + own.length));
        const answered = await send(intruder.api, line, wrong);
        const { status, body: answer } = inPlace(request, answered);
        count += 1;
        const context = `${line} ${JSON.stringify(wrong)} ${status} ${JSON.stringify(answer)}`;
        assert.ok(status >= 400 && status < 500, context);
        assert.doesNotMatch(JSON.stringify(answer), /victim/i, context);
      }
    }
    // Without it nothing is wrong, so it was refused for that id.
    const { status, body: answer } = inPlace(request, await send(intruder.api, line, body));
    assert.ok(status < 300, `${line} ${status} ${JSON.stringify(answer)}`);
  }
  return count;
}

/** Each of several previews is answered for itself. */
const inPlace = (request: string, answered: Awaited<ReturnType<typeof send>>) =>
  request === 'POST /previews' && answered.status === 200
    ? { status: answered.body.data[0].status, body: answered.body }
    : answered;

/** For many at once: each answers for itself. */
async function probeMany(intruder: Tenant, victim: Tenant): Promise<number> {
  const many = operations.filter(({ request }) => /^POST \/incidents\/[a-z-]+$/.test(request));
  const fields = { user_id: intruder.ids['user'], text: 'x', into_id: intruder.ids['other'] };
  const { playbook: playbook_id, webhook: outbound_webhook_id } = intruder.ids;
  const all: Readonly<Record<string, object>> = {
    note: { text: 'x' },
    merge: { into_id: fields.into_id },
    reassign: { user_id: fields.user_id },
    'add-responder': { user_id: fields.user_id },
    'run-playbook': { playbook_id },
    'call-webhook': { outbound_webhook_id },
  };
  for (const { request } of many) {
    const own = all[request.split('/').at(-1) ?? ''];
    const ids = [victim.ids['incident'], victim.ids['other']];
    const { status, body } = await send(intruder.api, request, { ids, ...own });
    assert.equal(status, 200, `${request} ${JSON.stringify(body)}`);
    const results = body.results.map(({ result }: { result: string }) => result);
    assert.deepEqual(results, ['not_found', 'not_found'], request);
  }
  return many.length;
}

/** No list has anything of the victim, asked for by an id or not. */
async function probeLists({ api }: Tenant, { ids }: Tenant): Promise<number> {
  const kindOf: Readonly<Record<string, string>> = {
    oncall_schedule_id: 'schedule',
    escalation_policy_id: 'policy',
    outbound_webhook_id: 'webhook',
  };
  let count = 0;
  for (const { request, queryParameters } of operations) {
    if (!request.startsWith('GET') || placesIn(request).length > 0) continue;
    // An answer without an end; test/system/event-stream.test.ts has its tests.
    if (request.endsWith('/stream')) continue;
    const by = queryParameters.filter((name) => name.endsWith('_id'));
    const queries = by.map((name) => `?${name}=${ids[kindOf[name] ?? name.replace('_id', '')]}`);
    const adding = queryParameters.includes('include') ? ['?include=names,next'] : [];
    const searching = queryParameters.includes('q') ? ['?q=victim'] : [];
    for (const query of ['', ...queries, ...adding, ...searching]) {
      const { body } = await send(api, `${request}${query}`);
      count += 1;
      assert.doesNotMatch(JSON.stringify(body), /victim/i, `${request}${query}`);
    }
  }
  return count;
}

type Intruding = {
  readonly intruder: Tenant;
  readonly victim: Tenant;
  readonly isShared: IsShared;
};

async function probe(t: TestContext, { intruder, victim, isShared }: Intruding): Promise<void> {
  const before = await stateOf(victim);
  const many = await probeMany(intruder, victim);
  const inPaths = await probePaths(intruder, victim);
  const inBodies = await probeBodies(intruder, victim, isShared);
  const lists = await probeLists(intruder, victim);
  assert.deepEqual(await stateOf(victim), before);
  const counts = `${inPaths} by path, ${inBodies} by body, ${many} of many at once, ${lists} lists`;
  t.diagnostic(`requests for what is another's: ${counts}`);
  assert.ok(inPaths > 90 && inBodies > 30 && many > 10 && lists > 20, counts);
}

test('nothing of an organisation is there for the owner of another', async (t) => {
  const { pager, victim } = await setting();
  await using _ = pager;
  const intruder = await seedAll(await seedOutsider(pager, secretKey));
  await probe(t, { intruder, victim, isShared: () => false });
});

test('nothing of a team is there for an admin’s key of another', async (t) => {
  const { pager, victim } = await setting();
  await using _ = pager;
  const { id: team } = await pager.api.create('teams', { name: 'Inside' });
  const { user = '' } = victim.ids;
  const api = await seedKey(pager, 'admin', [team]);
  const intruder = await seedAll({ api, name: 'Inside', ids: { team, user } });
  // What is declared as a reference within the organisation, and not within the team.
  const isShared: IsShared = (kind, before) =>
    kind === 'user' || kind === 'schedule' || before.includes('routeToTeam');
  await probe(t, { intruder, victim, isShared });
});
