// Reads for a simulation what decisions read, in one read-only transaction without locks.

import type { Changes } from '../../engine/ports/changes.ts';
import type { Key, RawKey } from '../../engine/ports/keys.ts';
import type { NoticeState } from '../../engine/ports/sending.ts';
import type { Incident } from '../../incidents/incident.ts';
import { columnList } from '../database/columns.ts';
import { asUnavailable } from '../database/database.ts';
import { parseNotice } from '../outbox/stored-notice.ts';
import { json } from '../records/rows.ts';
import type { LedgerContext, LedgerParts } from './context.ts';
import { columns, type IncidentRow, newestFirst, readable } from './incident-rows.ts';
import { keyed } from './keys.ts';

type Intent = Changes['intents'][number];

/** A notice about an incident that has been decided. */
export type KnownNotice = {
  readonly intent: Intent;
  readonly recipientKey: string;
  readonly state: NoticeState;
  readonly reason: string | null;
  readonly attempts: number;
  readonly createdAt: Temporal.Instant;
  readonly wakeAt: Temporal.Instant | null;
};

export type Readings = {
  /** Of each key the last incident, the open ones, and those into which any was merged. */
  incidentsOf(keys: readonly (Key | RawKey)[]): Promise<readonly Incident[]>;
  /** The notices about those that are open, sent or not; without calls of webhooks. */
  noticesOf(incidents: readonly Incident[]): Promise<readonly KnownNotice[]>;
};

export async function readLedger<T>(
  parts: LedgerParts,
  work: (readings: Readings) => Promise<T>,
): Promise<T> {
  let result: { readonly of: T } | undefined;
  try {
    await parts.sql.begin('isolation level repeatable read read only', async (sql) => {
      result = { of: await work(readingsOn({ ...parts, sql })) };
    });
  } catch (error) {
    throw asUnavailable(error);
  }
  if (result === undefined) throw new Error('the transaction ended before its work');
  return result.of;
}

function readingsOn(context: LedgerContext): Readings {
  return {
    incidentsOf: (keys) => incidentsOf(context, keys),
    noticesOf: (incidents) => noticesOf(context, incidents),
  };
}

async function incidentsOf(
  context: LedgerContext,
  all: readonly (Key | RawKey)[],
): Promise<readonly Incident[]> {
  const { sql } = context;
  if (all.length === 0) return [];
  const keys = all.filter((key) => !('raw_key' in key));
  const rawKeys = all.filter((key) => 'raw_key' in key);
  const ofKey = sql`i.organization_id = k.organization_id
    and i.source_integration_id = k.integration_id and i.dedup_key = k.dedup_key`;
  const ofRawKey = sql`i.organization_id = r.organization_id
    and i.source_integration_id = r.integration_id and i.raw_key = r.raw_key`;
  const rows = await sql<IncidentRow[]>`
    with recursive k as (
      select * from json_to_recordset(${json(sql, keys)})
        as k(organization_id text, integration_id text, dedup_key text)
    ), r as (
      select * from json_to_recordset(${json(sql, rawKeys)})
        as r(organization_id text, integration_id text, raw_key text)
    ), led (organization_id, id) as (
      (
        select i.organization_id, i.id from k join incidents i on ${ofKey}
          and (i.status <> 'resolved' or i.merged_into_id is not null)
        union
        select last.* from k cross join lateral (
          select i.organization_id, i.id from incidents i where ${ofKey} order by ${newestFirst(sql)} limit 1
        ) last
        union
        select i.organization_id, i.id from r join incidents i on ${ofRawKey}
          and (i.status <> 'resolved' or i.merged_into_id is not null)
        union
        select last.* from r cross join lateral (
          select i.organization_id, i.id from incidents i
          where ${ofRawKey} and i.resolved_at is not null order by i.resolved_at desc limit 1
        ) last
      )
      union
      select i.organization_id, i.merged_into_id from led join incidents i
        on i.organization_id = led.organization_id and i.id = led.id
        and i.merged_into_id is not null
    )
    select ${columnList(sql, columns, 'i')} from led join incidents i
      on i.organization_id = led.organization_id and i.id = led.id`;
  return readable(context, rows);
}

type NoticeRow = Omit<KnownNotice, 'intent' | 'recipientKey' | 'createdAt' | 'wakeAt'> &
  Omit<Intent, 'address' | 'recipient' | 'route' | 'mention' | 'why' | 'occasion'> & {
    recipient_key: string;
    notice: unknown;
    created_at: Temporal.Instant;
    wake_at: Temporal.Instant | null;
  };

/**
 * A notice that cannot be read is reported as a fault and left out: the outbox does not send it
 * either.
 */
async function noticesOf(
  { sql, faults }: LedgerContext,
  incidents: readonly Incident[],
): Promise<readonly KnownNotice[]> {
  const open = incidents
    .filter(({ status }) => status !== 'resolved')
    .map(({ organization_id, id }) => ({ organization_id, id }));
  const rows = await sql<NoticeRow[]>`
    select o.organization_id, o.incident_id, o.key, o.kind, o.channel, o.recipient_key, o.notice,
      o.cycle, o.step, o.user_id, o.rank, o.state, o.reason, o.attempts, o.created_at, o.wake_at
    from ${keyed(sql, open)}
    join outbox o on o.organization_id = k.organization_id and o.incident_id = k.id
    where o.kind <> 'webhook'
    order by o.created_at, o.key`;
  return rows.flatMap((row) => {
    try {
      return [knownNoticeOf(row)];
    } catch (error) {
      faults({ of: 'notice', id: row.key, error });
      return [];
    }
  });
}

function knownNoticeOf({ notice, ...row }: NoticeRow): KnownNotice {
  const { recipient_key: recipientKey, state, reason, attempts, created_at, wake_at, ...own } = row;
  const { address, recipient, route, mention, why, wave } = parseNotice(notice);
  return {
    recipientKey,
    state,
    reason,
    attempts,
    createdAt: created_at,
    wakeAt: wake_at,
    intent: {
      ...own,
      address,
      recipient,
      ...(route && { route }),
      mention,
      why,
      ...(wave !== undefined && { wave }),
    },
  };
}
