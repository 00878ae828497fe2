// Where canary events go: an organisation of their own, which no person and no key belongs to.
import { randomBytes } from 'node:crypto';
import type { CanaryLedger } from '../../engine/canary.ts';
import { type Sql, transact } from '../database/database.ts';
import { sealToken } from '../records/integration-token.ts';
import { json } from '../records/rows.ts';
import { addressContext } from '../sealed/sealed-columns.ts';
import { type Secrets, sealing } from '../sealed/secrets.ts';

/** Of the organisation, and of each of its records: ids are made of the time, so no other is this. */
export const canaryId = '0'.repeat(24);

const tokenBytes = 32;

type CanaryOptions = { readonly secrets: Secrets; readonly now: Temporal.Instant };

/** Makes its records, unless they are there. Their token is known to nobody. */
export async function prepareCanary(sql: Sql, { secrets, now }: CanaryOptions): Promise<void> {
  const token = randomBytes(tokenBytes).toString('base64url');
  const steps = [
    {
      targets: [
        { via: 'canary', webhook_url: sealing(secrets, addressContext(canaryId))('nobody') },
      ],
    },
  ];
  const own = { organization_id: canaryId, id: canaryId };
  const stamps = { version: 1, created_at: now.toString(), updated_at: now.toString() };
  const numbered = { ...own, ...stamps, team_id: canaryId, counter: 1 };
  const name = 'Canary';
  const integration = {
    ...numbered,
    name,
    slug: 'webhook',
    enabled: true,
    service_id: canaryId,
    escalation_policy_id: canaryId,
    repeat_escalation: false,
    disable_incident_suppression: false,
    token_encrypted: sealToken(token, own, secrets),
    token_digest: secrets.digest(token),
  };
  const organization = { id: canaryId, name, timezone: 'Etc/UTC', ...stamps };
  await transact(sql, async (tx) => {
    await tx`insert into organizations ${tx(organization)} on conflict do nothing`;
    await tx`insert into teams ${tx({ ...own, ...stamps, name, is_default: true })}
      on conflict do nothing`;
    await tx`insert into services ${tx({ ...numbered, name })} on conflict do nothing`;
    await tx`
      insert into escalation_policies ${tx({ ...numbered, name, steps: json(tx, steps) })}
      on conflict do nothing`;
    await tx`insert into integrations ${tx(integration)} on conflict do nothing`;
  });
}

export const createCanaryLedger = (sql: Sql): CanaryLedger => ({
  async handedOverAt(dedupKey) {
    const [page] = await sql<{ finished_at: Temporal.Instant }[]>`
      select o.finished_at from incidents i
      join outbox o on o.organization_id = i.organization_id and o.incident_id = i.id
      where i.organization_id = ${canaryId} and i.source_integration_id = ${canaryId}
        and i.dedup_key = ${dedupKey} and o.kind = 'page' and o.state = 'sent'`;
    return page?.finished_at ?? null;
  },

  async removeBefore(instant) {
    await transact(sql, async (tx) => {
      await tx`
        delete from events where organization_id = ${canaryId} and received_at < ${instant}`;
      await tx`
        delete from outbox o where organization_id = ${canaryId} and (
          created_at < ${instant} or exists (
            select from incidents i where i.organization_id = o.organization_id
              and i.id = o.incident_id and i.created_at < ${instant}))`;
      await tx`
        delete from attempts a where organization_id = ${canaryId} and not exists (
          select from outbox o where o.organization_id = a.organization_id and o.key = a.key)`;
      await tx`
        delete from incidents where organization_id = ${canaryId} and created_at < ${instant}`;
      await tx`
        delete from timeline t where organization_id = ${canaryId} and not exists (
          select from incidents i
          where i.organization_id = t.organization_id and i.id = t.incident_id)`;
      await tx`
        delete from timeline_heads h where organization_id = ${canaryId} and not exists (
          select from incidents i
          where i.organization_id = h.organization_id and i.id = h.incident_id)`;
    });
  },
});
