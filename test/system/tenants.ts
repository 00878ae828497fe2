// Those who look for what is not theirs, and whose it is: each with something of every kind.
import assert from 'node:assert/strict';
import { systemClock } from '../../src/engine/clock.ts';
import { createIds } from '../../src/engine/ids.ts';
import { readInstallation } from '../../src/storage/sealed/installation.ts';
import { seedOrganization } from '../world.ts';
import { type Api, createApiClient, postJson, type Reply } from './api-client.ts';
import { eventually } from './eventually.ts';
import type { InProcess } from './in-process.ts';

/** Of what a tenant has, by kind. */
export type Ids = Readonly<Record<string, string>>;
export type Tenant = { readonly api: Api; readonly name: string; readonly ids: Ids };

/** As it is told to, when there were too many at once. */
export async function patiently(send: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await send();
    if (reply.status !== 429) return reply;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The owner of another organisation on the same server. */
export async function seedOutsider({ sql, url }: InProcess, secretKey: string) {
  const { organizationId, teams, users } = await seedOrganization(sql, {
    name: 'Outside',
    users: [{ name: 'mallory', role: 'owner' }],
  });
  const text = 'k'.repeat(40);
  const { digest } = await readInstallation(sql, secretKey);
  const now = systemClock.now();
  await sql`insert into api_keys ${sql({
    organization_id: organizationId,
    id: createIds(systemClock).next(),
    name: 'Outside',
    role: 'owner',
    prefix: 'kkk',
    digest: digest(text),
    created_at: now,
    created_by: 'Outside',
    team_ids: null,
    default_team_id: teams['ops'] ?? '',
  })}`;
  const ids = { team: teams['ops'] ?? '', user: users['mallory'] ?? '' };
  return { api: createApiClient(url, text), name: 'Outside', ids };
}

/** A key with that role; confined to these teams, if any are named. */
export async function seedKey(
  { api, url }: InProcess,
  role: string,
  teamIds?: readonly string[],
): Promise<Api> {
  const confined = teamIds && { team_ids: teamIds, default_team_id: teamIds[0] };
  const { key } = await api.create('api-keys', { name: role, role, ...confined });
  return createApiClient(url, key);
}

/** Makes something of every kind, for whoever has a team and a person. */
export async function seedAll({ api, name, ids }: Tenant): Promise<Tenant> {
  const of: Record<string, string> = { ...ids };
  const made = async (request: string, body?: object) => {
    const reply = await patiently(() => api.send(request, body));
    assert.ok(reply.status < 300, `${request} ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const make = async (kind: string, request: string) => {
    of[kind] = (await made(request, bodiesOf(of, name)[request])).id;
  };
  await make('service', 'POST /services');
  await make('schedule', 'POST /on-calls');
  await make('policy', 'POST /escalation-policies');
  await make('webhook', 'POST /outbound-webhooks');
  const integration = await made('POST /integrations', bodiesOf(of, name)['POST /integrations']);
  of['integration'] = integration.id;
  await make('playbook', 'POST /playbooks');
  await make('rule', 'POST /alert-rules');
  await make('feed', 'POST /calendar-feeds');
  await make('key', 'POST /api-keys');
  const at = `/on-calls/${of['schedule']}/overrides`;
  const override = await made(`POST ${at}`, bodiesOf(of, name)['POST /on-calls/{id}/overrides']);
  const hook = `/outbound-webhooks/${of['webhook']}`;
  of['secret'] = (await made(`GET ${hook}/secrets`)).data[0].id;
  of['delivery'] = (await made(`POST ${hook}/test`)).id;
  of['override'] = override.id;
  for (const kind of ['incident', 'other'])
    await postJson(integration.webhook_url, { title: `${name} ${kind}` });
  const incidents = async (): Promise<{ id: string; title: string }[]> =>
    (await made('GET /incidents')).data;
  await eventually('both incidents', async () => (await incidents()).length === 2);
  for (const { id, title } of await incidents()) of[title.split(' ').at(-1) ?? ''] = id;
  return { api, name, ids: of };
}

/** A valid body of each route that takes ids in one. */
export function bodiesOf(of: Ids, name: string): Readonly<Record<string, object>> {
  const rotation = { length: 1, unit: 'weeks' };
  const any = { condition_groups: [{ conditions: [{ type: 'allIncidents' }] }] };
  const targets = [
    { via: 'email', user_id: of['user'] },
    { via: 'email', oncall_schedule_id: of['schedule'] },
  ];
  const times = { start: '2090-01-01T00:00:00Z', end: '2090-01-02T00:00:00Z' };
  const call = { type: 'outboundWebhook', outbound_webhook_id: of['webhook'] };
  const actions = [
    call,
    { type: 'reassignIncident', user_id: of['user'] },
    { type: 'escalationPolicy', escalation_policy_id: of['policy'] },
    { type: 'integration', integration_id: of['integration'] },
  ];
  const routed = { type: 'routeToTeam', team_id: of['team'], integration_id: of['integration'] };
  const rule = {
    name,
    ...any,
    integration_ids: [of['integration']],
    service_ids: [of['service']],
    actions: [...actions, routed, { type: 'playbook', playbook_id: of['playbook'] }],
  };
  const arrived = { integration_id: of['integration'] };
  const hooks = { outbound_webhook_ids: [of['webhook']] };
  const team = { team_id: of['team'] };
  return {
    'POST /services': { name, ...team },
    'POST /on-calls': { name, ...team, layers: [{ users: [of['user']], rotation }] },
    'POST /escalation-policies': { name, ...team, steps: [{ targets }] },
    // Calls to it fail for good at once: tried again, they would write while a test compares.
    'POST /outbound-webhooks': { name, ...team, url: `https://127.0.0.1/${name}` },
    'POST /integrations': {
      name,
      ...team,
      slug: 'webhook',
      service_id: of['service'],
      escalation_policy_id: of['policy'],
    },
    'POST /playbooks': { name, ...team, actions },
    'POST /alert-rules': { ...rule, ...team },
    'POST /calendar-feeds': { oncall_schedule_id: of['schedule'] },
    'POST /api-keys': {
      name,
      role: 'viewer',
      team_ids: [of['team']],
      default_team_id: of['team'],
    },
    'POST /on-calls/{id}/overrides': { user_id: of['user'], ...times },
    'POST /on-calls/{id}/clone': { name, ...team },
    'PUT /on-calls/{id}/notifications': hooks,
    'POST /incidents': {
      title: name,
      service_id: of['service'],
      escalation_policy_id: of['policy'],
    },
    'POST /incidents/{id}/reassign': { user_id: of['user'] },
    'POST /incidents/{id}/add-responder': { user_id: of['user'] },
    'POST /incidents/{id}/run-playbook': { playbook_id: of['playbook'] },
    'POST /incidents/{id}/call-webhook': { outbound_webhook_id: of['webhook'] },
    'POST /alert-rules/test': {
      rule_id: of['rule'],
      event: { ...arrived, title: name },
    },
    'POST /alert-rules/replay': { rules: [rule], days: 1, ...team },
    'POST /simulate': { ...arrived, event: { title: name } },
    'POST /preview': {
      kind: 'escalation_policy',
      record: { id: of['policy'], name, steps: [{ targets }] },
    },
    'POST /previews': {
      previews: [
        { kind: 'escalation_policy', record: { id: of['policy'], name, steps: [{ targets }] } },
      ],
    },
    'POST /incidents/{id}/merge': { into_id: of['other'] },
  };
}
