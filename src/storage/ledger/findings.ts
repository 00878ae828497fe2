// What deciding events found odd about integrations: of each kind the last, for the attention strip.
import type { IntegrationFinding } from '../../engine/ports/changes.ts';
import { shownFor } from '../../incidents/findings.ts';
import type { Sql } from '../database/database.ts';
import { json, namedRows } from '../records/rows.ts';
import type { LedgerContext } from './context.ts';

/** The caller holds the locks of the integrations. */
export async function saveFindings(
  { sql }: Pick<LedgerContext, 'sql'>,
  findings: readonly IntegrationFinding[],
  now: Temporal.Instant,
): Promise<void> {
  if (findings.length === 0) return;
  const over = findings.filter(({ text }) => text === null);
  const last = new Map(
    findings
      .filter(({ text }) => text !== null)
      .map((one) => [`${one.integration_id} ${one.kind}`, one]),
  );
  if (over.length > 0)
    await sql`
      delete from integration_findings f
      using json_to_recordset(${json(sql, over)})
        as o(organization_id text, integration_id text, kind text, subject text)
      where f.organization_id = o.organization_id and f.integration_id = o.integration_id
        and f.kind = o.kind and f.subject = o.subject`;
  if (last.size === 0) return;
  const rows = [...last.values()].map((one) => ({ ...one, at: now }));
  await sql`
    insert into integration_findings ${namedRows(sql, 'integration_findings', rows)}
    on conflict (organization_id, integration_id, kind) do update
    set subject = excluded.subject, event_id = excluded.event_id, text = excluded.text,
      at = excluded.at`;
}

export async function removeFindings(sql: Sql, now: Temporal.Instant): Promise<number> {
  const { count } = await sql`
    delete from integration_findings where at < ${now.subtract(shownFor)}`;
  return count;
}
