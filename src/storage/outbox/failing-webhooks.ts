// Records since when no call of an outbound webhook has succeeded, and notifies the admins of its
// team.
import type { AttemptResult } from '../../engine/ports/sending.ts';
import { webhookTries } from '../../engine/sending/webhook-tries.ts';
import { adminNoticeRanks, failingBeforeNotice } from '../../incidents/admin-notices.ts';
import { configurationIn } from '../../incidents/configuration.ts';
import type { FailingWebhook } from '../../notices/kinds/failing-webhook.ts';
import { transact } from '../database/database.ts';
import type { LedgerContext, LedgerParts } from '../ledger/context.ts';
import { json, namedRows } from '../records/rows.ts';
import { notifyAdmins } from './admins.ts';
import { webhookIdOf } from './recipient-key.ts';

type Webhook = { readonly organization_id: string; readonly outbound_webhook_id: string };
type FailingSince = Webhook & { readonly failing_since: Temporal.Instant };

export async function noteTries(
  context: LedgerContext,
  attempts: readonly AttemptResult[],
): Promise<void> {
  const { working, failing } = webhookTries(attempts);
  const webhookOf = ({ organization_id, recipient_key }: (typeof working)[number]): Webhook => ({
    organization_id,
    outbound_webhook_id: webhookIdOf(recipient_key),
  });
  await forget(context, working.map(webhookOf));
  await remember(
    context,
    failing.map(({ of, since }) => ({ ...webhookOf(of), failing_since: since })),
  );
}

async function forget({ sql }: LedgerContext, working: readonly Webhook[]): Promise<void> {
  if (working.length === 0) return;
  await sql`
    delete from failing_webhooks f
    using json_populate_recordset(null::failing_webhooks, ${json(sql, working)}) r
    where f.organization_id = r.organization_id and f.outbound_webhook_id = r.outbound_webhook_id`;
}

async function remember({ sql }: LedgerContext, failing: readonly FailingSince[]): Promise<void> {
  if (failing.length === 0) return;
  await sql`
    insert into failing_webhooks ${namedRows(sql, 'failing_webhooks', failing)}
    order by organization_id, outbound_webhook_id
    on conflict (organization_id, outbound_webhook_id) do nothing`;
}

/** The admins of its team, by e-mail and push, once until a call succeeds. */
export async function notifyOfFailingWebhooks(
  { sql, ...parts }: LedgerParts,
  now: Temporal.Instant,
): Promise<void> {
  await transact(sql, async (tx) => {
    const failing = await tx<Failing[]>`
      update failing_webhooks f set notified_at = ${now} from outbound_webhooks w
      where w.organization_id = f.organization_id and w.id = f.outbound_webhook_id
        and w.archived_at is null
        and f.notified_at is null and f.failing_since <= ${now.subtract(failingBeforeNotice.webhook)}
      returning w.organization_id, w.team_id, w.id, w.name, f.failing_since as since`;
    const context = { ...parts, sql: tx };
    const ids = new Set(failing.map(({ organization_id }) => organization_id));
    const configurations = await context.configurations.read(tx, ids, now);
    for (const webhook of failing) {
      const configuration = configurationIn(configurations, webhook.organization_id);
      const { organization_id, team_id, ...failing } = webhook;
      const about = `failing/${failing.id}/${failing.since.epochMilliseconds}`;
      const notice = {
        organization_id,
        team_id,
        kind: 'webhook_failing',
        about,
        rank: adminNoticeRanks.other,
      };
      await notifyAdmins(context, { ...notice, content: { failing } }, { configuration, now });
    }
  });
}

type Failing = FailingWebhook & { readonly organization_id: string; readonly team_id: string };
