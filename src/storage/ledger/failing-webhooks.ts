// Outbound webhooks of which no try succeeds: since when, and that their teams' admins are told.
import type { Attempted } from '../../engine/ledger.ts';
import { reachPerson } from '../../incidents/directory.ts';
import { json } from '../record-rows.ts';
import { readDirectory } from './directory.ts';
import type { Desk } from './ledger.ts';
import { receiverOf, webhookIdOf } from './outbox-receiver.ts';

const toldAfter = { hours: 72 } as const;
const toldBy = ['email', 'push-notification'] as const;
/** After everything else. */
const rank = 6;

type Webhook = { readonly organization_id: string; readonly outbound_webhook_id: string };
type Failing = Webhook & { readonly failing_since: Temporal.Instant };

/** What the tries that ended say of their webhooks. One success ends a time of failures. */
export async function noteTries(
  desk: Desk,
  attempts: readonly Attempted[],
  now: Temporal.Instant,
): Promise<void> {
  const tries = attempts.filter(({ claimed }) => claimed.channel === 'webhook');
  if (tries.length === 0) return;
  const working = new Map<string, Webhook>();
  const failing = new Map<string, Failing>();
  for (const one of tries) {
    const { organization_id, receiver } = one.claimed;
    const webhook = { organization_id, outbound_webhook_id: webhookIdOf(receiver) };
    if (one.state === 'sent') working.set(receiver, webhook);
    else failing.set(receiver, { ...webhook, failing_since: one.finishedAt });
  }
  for (const receiver of working.keys()) failing.delete(receiver);
  await forget(desk, [...working.values()]);
  for (const one of await remember(desk, [...failing.values()], now)) await tell(desk, one, now);
}

async function forget({ sql }: Desk, working: readonly Webhook[]): Promise<void> {
  if (working.length === 0) return;
  await sql`
    delete from failing_webhooks f
    using json_populate_recordset(null::failing_webhooks, ${json(sql, working)}) r
    where f.organization_id = r.organization_id and f.outbound_webhook_id = r.outbound_webhook_id`;
}

/** Answers those whose admins are to be told now, which is once until a call succeeds. */
async function remember(
  { sql }: Desk,
  failing: readonly Failing[],
  now: Temporal.Instant,
): Promise<readonly Failing[]> {
  if (failing.length === 0) return [];
  const rows = json(sql, failing);
  await sql`
    insert into failing_webhooks
    select * from json_populate_recordset(null::failing_webhooks, ${rows})
    order by organization_id, outbound_webhook_id
    on conflict (organization_id, outbound_webhook_id) do nothing`;
  return sql<Failing[]>`
    update failing_webhooks f set told_at = ${now}
    from json_populate_recordset(null::failing_webhooks, ${rows}) r
    where f.organization_id = r.organization_id and f.outbound_webhook_id = r.outbound_webhook_id
      and f.told_at is null and f.failing_since <= ${now.subtract(toldAfter)}
    returning f.organization_id, f.outbound_webhook_id, f.failing_since`;
}

/** The admins of its team; the key makes it one notice to each, until it fails anew. */
async function tell(desk: Desk, failing: Failing, now: Temporal.Instant): Promise<void> {
  const { sql } = desk;
  const { organization_id, outbound_webhook_id: id, failing_since: since } = failing;
  const [webhook] = await sql<{ team_id: string; name: string }[]>`
    select team_id, name from outbound_webhooks
    where organization_id = ${organization_id} and id = ${id}`;
  if (webhook === undefined) return;
  const { team_id, name } = webhook;
  const none = { userIds: new Set<string>(), scheduleIds: new Set<string>() };
  const needed = { ...none, organization_id, teamIds: new Set([team_id]) };
  const directory = await readDirectory(desk, [needed], now);
  const admins = directory.adminsOfTeam.get(team_id) ?? [];
  const reached = admins.flatMap((admin) =>
    toldBy.map((via) => reachPerson(admin, via, directory)),
  );
  const key = `failing/${id}/${since.epochMilliseconds}`;
  const rows = reached.flatMap((one) => {
    if (!one.reached) return [];
    const { channel, address, personId, name: recipient } = one;
    const why = 'you are an admin of its team';
    const notice = { address, recipient, mention: null, why, failing: { id, name, since } };
    return [
      {
        ...{ organization_id, key: `${key}/${channel}/${personId}`, kind: 'webhook_failing' },
        ...{ channel, receiver: receiverOf(desk, one), notice, cycle: 0, step: 0, rank },
        ...{ state: 'pending', attempts: 0, created_at: now, wake_at: now },
      },
    ];
  });
  await sql`
    insert into outbox select * from json_populate_recordset(null::outbox, ${json(sql, rows)})
    on conflict (organization_id, key) do nothing`;
}
