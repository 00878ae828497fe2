// An organization with something of every kind, which callers of every kind ask for.
import { type Caller, keysIn, sessionsIn, strangers } from './callers.ts';
import type { InProcess } from './in-process.ts';
import { bodiesOf, type Ids, seedAll, seedOutsider } from './tenants.ts';

/** A body or a target that changes who may use a route. */
export type Variant = { readonly ids?: Ids; readonly body?: object };

export type World = {
  readonly ids: Ids;
  /** By the words in brackets of the table. */
  readonly variants: Readonly<Record<string, Variant>>;
  readonly callers: readonly Caller[];
  /** By their routes, as far as one without fields is not valid. */
  readonly validBodies: Readonly<Record<string, object>>;
  /** What goes for good, created anew for each caller who may remove it. */
  readonly removable: Readonly<Record<string, () => Promise<Ids>>>;
};

export const secretKey = 'a secret key that only this test knows';

export async function seedWorld(pager: InProcess): Promise<World> {
  const { api } = pager;
  const [team] = await api.list('teams');
  const { id: other } = await api.create('teams', { name: 'Other' });
  // A default that moves there would be seen.
  await api.send(`PATCH /teams/${other}`, { default: true });
  const person = { first_name: 'Vic', last_name: 'Tim', email: 'vic@example.test' };
  const user = (await api.create('users', { ...person, role: 'responder' })).id;
  await api.create(`teams/${team.id}/members`, { user_id: user });
  const [owner] = (await api.send('GET /users?role=owner')).body.data;
  const { ids } = await seedAll({ api, name: 'Victim', ids: { team: team.id, user } });
  const integration = `integrations/${ids['integration']}`;
  await api.send(`PUT /${integration}/mapping`, { forms: [{ title: ['summary'] }] });
  const [contact] = (await api.send(`GET /users/${user}/contacts`)).body.data;
  const adopt = async (end: string) =>
    (
      await api.create(`${integration}/adopted-keys`, {
        kind: 'pagerduty',
        key: `${'R0UT1NGKEY'.repeat(3)}${end}`,
      })
    ).id;
  const connection = await api.create('channel-connections', {
    name: 'ntfy',
    vendor: 'ntfy',
    settings: { base_url: 'https://ntfy.victim.test' },
  });
  const ownerKey = await api.create('api-keys', { name: 'Owner', role: 'owner' });
  const { token } = (await api.send(`GET /${integration}`)).body;
  const outside = await seedOutsider(pager, secretKey);
  const inside = { api, name: 'Inside' };
  let adopted = 0;
  return {
    ids: { ...ids, contact: contact.id, adopted: await adopt('A'), connection: connection.id },
    variants: variantsOf({ user, owner: owner.id, ownerKey: ownerKey.id }),
    validBodies: validBodiesOf(ids),
    callers: [
      ...(await sessionsIn(pager, inside, 'session')),
      ...(await keysIn(inside, 'key')),
      ...(await keysIn(inside, 'key of the team', team.id)),
      ...(await keysIn(inside, 'key of another team', other)),
      ...(await sessionsIn(pager, outside, 'session of another organization')),
      ...(await keysIn(outside, 'key of another organization')),
      ...strangers(token),
    ],
    removable: {
      async 'DELETE /integrations/{id}/adopted-keys/{key_id}'() {
        adopted += 1;
        return { adopted: await adopt(String(adopted)) };
      },
      async 'DELETE /teams/{id}/members/{user_id}'() {
        await api.create(`teams/${team.id}/members`, { user_id: owner.id });
        return { user: owner.id };
      },
      async 'DELETE /calendar-feeds/{id}'() {
        const of = { oncall_schedule_id: ids['schedule'] };
        return { feed: (await api.create('calendar-feeds', of)).id };
      },
      async 'DELETE /outbound-webhooks/{id}/secrets/{secret_id}'() {
        const path = `outbound-webhooks/${ids['webhook']}/secrets`;
        const { data } = (await api.send(`GET /${path}`)).body;
        return { secret: (data[1] ?? (await api.create(path, {}))).id };
      },
    },
  };
}

function variantsOf({ user = '', owner = '', ownerKey = '' }: Ids): World['variants'] {
  const person = { first_name: 'New', last_name: '', email: 'new@example.test' };
  const password = 'correct horse battery';
  return {
    'an owner': { body: { ...person, role: 'owner' } },
    'an admin': { body: { ...person, role: 'admin' } },
    'raised to admin': { body: { role: 'admin' } },
    // Refused as taken, so that the person keeps theirs.
    'another e-mail address': { body: { email: 'owner@example.test' } },
    'of an owner': { ids: { user: owner }, body: {} },
    'of an owner, with a password': { ids: { user: owner }, body: { password } },
    'with the role of an owner': { body: { name: 'Owner', role: 'owner' } },
    'of a key of an owner': { ids: { key: ownerKey } },
    'of another person': { body: { user_id: user } },
    'of forms that are not saved': { body: { forms: [{ title: ['other'] }], last: 1 } },
    'as the default': { body: { default: true } },
    'of a service': { body: { kind: 'service', record: {} } },
    'of a connection': { body: { kind: 'channel_connection', record: {} } },
  };
}

/** A route that reads its body before it looks for what its path names would refuse others. */
function validBodiesOf(ids: Ids): World['validBodies'] {
  const bodies = bodiesOf(ids, 'Victim');
  const override = bodies['POST /on-calls/{id}/overrides'] ?? {};
  const forms = [{ title: ['summary'] }];
  const event = '0'.repeat(24);
  const records = ['services', 'escalation-policies', 'integrations', 'alert-rules']
    .concat('outbound-webhooks', 'on-calls', 'playbooks')
    .map((route): [string, object] => [`PUT /${route}/{id}`, bodies[`POST /${route}`] ?? {}]);
  return {
    ...bodies,
    ...Object.fromEntries(records),
    'PUT /on-calls/{id}/overrides/{override_id}': override,
    'POST /on-calls/{id}/overrides/preview': override,
    'POST /on-calls/{id}/overrides/batch': { overrides: [override] },
    'POST /on-calls/{id}/overrides/batch/preview': { overrides: [override] },
    'POST /on-calls/{id}/cover-requests': override,
    'POST /incidents/{id}/mute': { until: '2090-01-01T00:00:00Z' },
    'POST /incidents/{id}/note': { text: 'Note' },
    'POST /incidents/{id}/priority': { priority: 'p1' },
    'POST /incidents/{id}/severity': { severity: 'sev1' },
    'POST /incidents/{id}/alerts/split': { alert_ids: ['f'.repeat(24)] },
    'POST /incidents/{id}/verdict': { verdict: 'real' },
    'POST /integrations/{id}/adopted-keys': { kind: 'pagerduty', key: 'R0UT1NGKEYZ'.repeat(3) },
    'PUT /integrations/{id}/mapping': { forms },
    'POST /integrations/{id}/mapping/try': { forms, last: 1 },
    'POST /integrations/{id}/mapping/suggest': { firing: event, recovered: event },
    'POST /teams/{id}/members': { user_id: ids['user'] },
    'POST /users/{id}/password': { password: 'correct horse battery' },
    'POST /users/{id}/factors/remove': { factors: ['passkeys'], password: 'wrong' },
  };
}
