import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerOf, seedIncidents } from '../../../test/incident-api.ts';
import { type Pager, withPager } from '../../../test/stories/story.ts';

/** The routes, with an integration whose policy pages Ada and then Lin. */
async function opening(run: (all: Awaited<ReturnType<typeof openingOn>>) => Promise<void>) {
  await withPager(async (pager) => {
    await using all = await openingOn(pager);
    await run(all);
    assert.deepEqual(await pager.findings(), []);
  });
}

async function openingOn(pager: Pager) {
  const api = await seedIncidents(pager, []);
  const on = await pager.integration({ steps: [pager.step('ada', 5), pager.step('lin')] });
  const ada = callerOf(pager, { kind: 'session', id: pager.users['ada'] ?? '', name: 'Ada' });
  const open = (fields: object, caller = ada, headers = {}) => {
    const body = { title: 'Checkout is slow', service_id: on.serviceId, ...fields };
    return api.send(caller, 'POST /incidents', { body, headers });
  };
  return { pager, api, on, ada, open, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

const problems = (body: { issues: { path: string; message: string }[] }) =>
  body.issues.map(({ path, message }) => `${path} ${message}`);

test('a person opens an incident, which pages by the policy of the integrations of the service', () =>
  opening(async ({ pager, api, on, ada, open }) => {
    const { status, body } = await open({
      title: '  Checkout\nis slow ',
      priority: 'p2',
      severity: 'sev2',
      details: { region: 'eu', since: 'noon\0' },
    });
    assert.equal(status, 201, JSON.stringify(body));
    const { id, number, title, status: state, priority, severity, details, ...rest } = body;
    assert.deepEqual([number, title, state], [1, 'Checkout is slow', 'triggered']);
    assert.deepEqual([priority, severity], ['p2', 'sev2']);
    assert.deepEqual(details, { region: 'eu', since: 'noon\ufffd' });
    assert.deepEqual([rest.escalation_policy_id, rest.dedup_key], [on.policyId, id]);
    assert.deepEqual([rest.integration_id, rest.source_integration_id], [undefined, undefined]);
    await pager.work();
    assert.deepEqual(pager.heard(), ['09:00 ada: page Checkout is slow']);
    await pager.at('09:05');
    assert.deepEqual(pager.heard(), ['09:05 lin: page Checkout is slow']);
    const timeline = await api.send(ada, 'GET /incidents/1/timeline');
    const [opened] = timeline.body.data;
    assert.equal(opened.text, 'Opened by Ada, on Shop');
    assert.deepEqual(opened.actor, {
      type: 'user',
      id: ada.id,
      name: 'Ada',
      via: 'dashboard',
    });
    const listed = await api.send(
      ada,
      `GET /incidents?include=names,next&service_id=${on.serviceId}`,
    );
    assert.deepEqual(listed.body.data, [(await api.send(ada, 'GET /incidents/1')).body]);
    assert.deepEqual(Object.values(listed.body.names).sort(), ['Ops', 'Shop', 'ops']);
    const why = await api.send(ada, 'GET /incidents/1/why');
    assert.deepEqual([why.body.paged, why.body.chain[0].text], [true, 'Opened by Ada, on Shop']);
    for (const action of ['acknowledge', 'resolve', 'reopen'])
      assert.equal((await api.send(ada, `POST /incidents/1/${action}`)).status, 200, action);
  }));

test('without a policy the one of the service counts, if its integrations agree on one', () =>
  opening(async ({ pager, on, ada, open }) => {
    const { sql } = pager;
    const other = await pager.integration({ steps: [pager.step('eve')] });
    const refused = async (fields: object, expected: string[]) => {
      const { status, body } = await open(fields);
      assert.deepEqual([status, problems(body)], [422, expected]);
    };
    await sql`update integrations set service_id = ${on.serviceId} where id = ${other.id}`;
    await refused({}, [
      'escalation_policy_id is required because the integrations of the service have different ones',
    ]);
    const chosen = await open({ escalation_policy_id: other.policyId });
    assert.equal(chosen.body.escalation_policy_id, other.policyId);
    await sql`update integrations set archived_at = now() where id = ${other.id}`;
    assert.equal((await open({})).body.escalation_policy_id, on.policyId);
    await sql`update integrations set archived_at = now() where id = ${on.id}`;
    await refused({}, [
      'escalation_policy_id is required because the service has no integration to take it from',
    ]);
    await sql`update services set archived_at = now() where id = ${on.serviceId}`;
    await refused({ escalation_policy_id: other.policyId }, [
      'service_id refers to an archived service',
    ]);
    await refused({ service_id: '0'.repeat(24), title: ' \n', details: [1], priority: 'p9' }, [
      'title must contain a visible character',
      'details must be text or an object',
      'priority must be one of p1, p2, p3, p4, p5',
      'service_id does not match any service in this organization',
    ]);
    const theirs = await pager.integration({ steps: [pager.step('eve')] }, pager.placeOf('core'));
    const narrow = { ...ada, teamIds: [pager.scope.teamId] };
    for (const service_id of [theirs.serviceId, '0'.repeat(24)]) {
      const foreign = await open({ service_id, escalation_policy_id: theirs.policyId }, narrow);
      assert.deepEqual(problems(foreign.body), [
        'service_id does not match any service in this organization',
        'escalation_policy_id does not match any escalation policy in this team',
      ]);
    }
    await refused({ service_id: theirs.serviceId, escalation_policy_id: on.policyId }, [
      'escalation_policy_id does not match any escalation policy in this team',
    ]);
    assert.equal((await open({}, { ...ada, role: 'viewer' })).status, 403);
  }));

test('rules cover it unless they name integrations, and one that ignores it refuses it', () =>
  opening(async ({ pager, on, open }) => {
    await pager.rule({
      integration_ids: [on.id],
      actions: [{ type: 'priority', priority: 'p1' }],
    });
    await pager.rule({ actions: [{ type: 'severity', severity: 'sev1' }] });
    await pager.rule({
      name: 'Drills',
      condition_groups: [
        { conditions: [{ type: 'incidentMessage', comparator: 'contains', text: 'drill' }] },
      ],
      actions: [{ type: 'ignoreIncident' }],
    });
    await pager.playbook({
      name: 'Note',
      actions: [{ type: 'note', text: 'Seen' }],
      run_automatically: ['triggered'],
    });
    const { body } = await open({});
    assert.deepEqual([body.priority, body.severity], [undefined, 'sev1']);
    // Nothing that a rule says overrides a person.
    assert.equal((await open({ severity: 'sev3' })).body.severity, 'sev3');
    assert.equal((await pager.timeline(1)).includes('note'), true);
    const ignored = await open({ title: 'A drill' });
    assert.deepEqual(
      [ignored.status, ignored.body.message],
      [409, 'The incident was not opened: the rule Drills ignores it.'],
    );
    assert.deepEqual(await pager.incidents(), ['1 triggered', '2 triggered']);
  }));

test('a rule may move it to an integration, whose alerts still open others', () =>
  opening(async ({ pager, on, open }) => {
    await pager.rule({ actions: [{ type: 'integration', integration_id: on.id }] });
    const { body } = await open({});
    assert.deepEqual([body.integration_id, body.source_integration_id], [on.id, undefined]);
    await pager.trigger(on, { title: 'Checkout is slow' });
    assert.deepEqual(await pager.incidents(), ['1 triggered', '2 triggered']);
  }));

test('an alert’s incident that is merged into it brings its key along', () =>
  opening(async ({ pager, api, on, ada, open }) => {
    await pager.trigger(on, { title: 'disk full' });
    const { body } = await open({});
    const merged = await api.send(ada, 'POST /incidents/1/merge', { body: { into_id: body.id } });
    assert.equal(merged.status, 200, JSON.stringify(merged.body));
    await pager.trigger(on, { title: 'disk full' });
    const into = await api.send(ada, 'GET /incidents/2');
    assert.equal(into.body.suppressed_count, 1);
    await pager.does(2, { type: 'resolve' });
    assert.deepEqual(await pager.incidents(), ['1 resolved', '2 resolved']);
  }));

test('the same request again opens no second one, also if the first answer was lost', () =>
  opening(async ({ pager, open }) => {
    const headers = { 'idempotency-key': 'one' };
    const first = await open({}, undefined, headers);
    await pager.does(1, { type: 'acknowledge' });
    const again = await open({}, undefined, headers);
    assert.deepEqual([again.status, again.body.id], [201, first.body.id]);
    assert.equal(again.body.status, 'acknowledged');
    assert.equal((await open({ title: 'Else' }, undefined, headers)).status, 409);
    // As a server leaves it that died right after its commit.
    await pager.sql`update idempotent_answers set status = null, answer_encrypted = null,
      started_at = started_at - interval '1 hour'`;
    const lost = await open({}, undefined, headers);
    assert.deepEqual([lost.status, lost.body.id], [201, first.body.id]);
    assert.deepEqual(await pager.incidents(), ['1 acknowledged']);
  }));

test('who opened it reads it with the same request, also when a rule moved it to another team', () =>
  opening(async ({ pager, on, ada, open }) => {
    const core = pager.placeOf('core');
    const theirs = await pager.integration({ steps: [pager.step('eve')] }, core);
    await pager.rule({
      actions: [{ type: 'routeToTeam', team_id: core.teamId, integration_id: theirs.id }],
    });
    const narrow = { ...ada, teamIds: [pager.scope.teamId] };
    const headers = { 'idempotency-key': 'one' };
    const first = await open({ service_id: on.serviceId }, narrow, headers);
    assert.deepEqual([first.status, first.body.team_id], [201, core.teamId]);
    const again = await open({ service_id: on.serviceId }, narrow, headers);
    assert.deepEqual([again.status, again.body.id], [201, first.body.id]);
  }));

test('when a rule fails by a fault, it is opened all the same, and admins are paged', () =>
  opening(async ({ pager, open }) => {
    // What storage does not accept: it names a policy that is in no configuration.
    const escalation_policy_id = '0'.repeat(24);
    await pager.rule({ actions: [{ type: 'escalationPolicy', escalation_policy_id }] });
    const { status, body } = await open({});
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual(pager.failed, ['incident']);
    await pager.work();
    assert.deepEqual(pager.heard(), ['09:00 boss: nobody_paged Checkout is slow']);
    await pager.at('09:01');
    assert.deepEqual(pager.heard(), ['09:01 ada: page Checkout is slow']);
  }));
