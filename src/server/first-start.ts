// What a new user finds: an organisation with a first service, policy and integration, so that one
// curl line opens an incident and pages the owner.
import { randomBytes } from 'node:crypto';
import { hashPassword } from '../api/sign-in/passwords/passwords.ts';
import { deviceChannel, signInChannel } from '../resources/channels.ts';
import type { Resource } from '../resources/declaration/resource.ts';
import { escalationPolicy } from '../resources/escalation-policy.ts';
import { integration } from '../resources/integration.ts';
import { service } from '../resources/service.ts';
import type { Act } from '../storage/organizations/audit.ts';
import { type BootstrapResult, bootstrap } from '../storage/organizations/bootstrap.ts';
import type { Records } from '../storage/records/records.ts';
import type { ServerContext } from './context.ts';

/** Does nothing where an organisation is; safe to repeat. */
export async function firstStart(
  world: ServerContext,
  print: (text: string) => void,
): Promise<void> {
  const { config, clock, ids, pools, secrets } = world;
  const { organization, email, password, apiKey } = config.bootstrap;
  const now = clock.now();
  const created = await bootstrap(
    pools.engine,
    {
      organization: organization ?? 'My organization',
      email: email ?? 'owner@example.com',
      ...(password !== null && { password }),
      ...(apiKey !== null && { apiKey }),
    },
    { ids, now, random: (count) => randomBytes(count), digest: secrets.digest, hashPassword },
  );
  if (!created) return;
  const vias = config.mail.smtpUrl === null ? [deviceChannel, signInChannel] : [signInChannel];
  const token = await makeFirstRecords(world.records, created, { now, vias });
  print(welcome({ created, token, publicUrl: config.publicUrl }));
}

type First = {
  readonly now: Temporal.Instant;
  /** How the owner is paged. Without a mail server, push is the way that is there. */
  readonly vias: readonly string[];
};

/** Makes the first records; answers the first integration's token. */
async function makeFirstRecords(
  records: Records,
  created: BootstrapResult,
  { now, vias }: First,
): Promise<string> {
  const act: Act = {
    organizationId: created.organizationId,
    teamIds: null,
    actor: { kind: 'server', id: created.organizationId, name: 'first start' },
    requestId: null,
    now,
  };
  const create = (resource: Resource, fields: Record<string, unknown>) =>
    records.create(resource, act, async () => ({ teamId: created.teamId, fields }));
  const first = await create(service, { name: 'First service' });
  const policy = await create(escalationPolicy, {
    name: 'Page the owner',
    steps: [{ targets: vias.map((via) => ({ via, user_id: created.userId })) }],
  });
  const hook = await create(integration, {
    slug: 'webhook',
    name: 'First webhook',
    service_id: first.id,
    escalation_policy_id: policy.id,
    repeat_escalation: false,
    disable_incident_suppression: false,
    enabled: true,
  });
  return hook.token ?? '';
}

type Welcome = {
  readonly created: BootstrapResult;
  readonly token: string;
  readonly publicUrl: string;
};

/** Printed once, for what is secret in it is not kept in readable form. */
function welcome({ created, token, publicUrl }: Welcome): string {
  const sender = `curl -X POST ${publicUrl}/hooks/${token}/push-events -H 'content-type: application/json' -d '{"title":"My first incident"}'`;
  return [
    '',
    'An organization was created. This is shown only once:',
    '',
    `  Dashboard  ${publicUrl}/`,
    `  Sign in    ${created.email}`,
    created.password === null ? '' : `  Password   ${created.password}`,
    created.apiKey === null ? '' : `  API key    ${created.apiKey}`,
    '',
    'To open your first incident:',
    '',
    `  ${sender}`,
    '',
  ]
    .filter((line, index, lines) => line !== '' || lines[index - 1] !== '')
    .join('\n');
}
