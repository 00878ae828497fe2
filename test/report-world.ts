// Random incidents and pages around changes of clocks, in tables and in memory, so that figures of a
// report can be counted a second time: one by one, and slowly.

import { type Verdict, verdicts } from '../src/resources/verdicts.ts';
import type { Sql } from '../src/storage/database/database.ts';
import { Luck } from './simulation/luck.ts';

export type ReportedIncident = {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly team_id: string;
  readonly service_id: string;
  readonly integration_id: string | null;
  readonly dedup_key: string;
  readonly suppressed: number;
  readonly createdAt: number;
  /** Who acknowledged it, and when, oldest first. */
  readonly acknowledged: readonly { readonly at: number; readonly by: 'user' | 'key' | 'alert' }[];
  readonly resolvedAt: number | null;
  readonly byTimer: boolean;
  readonly isMerged: boolean;
  readonly verdict: Verdict | null;
  /** The routing rules that acted on it; null of one whose state cannot be read. */
  readonly rules: readonly string[] | null;
  readonly isTest: boolean;
};
export type ReportedPage = {
  readonly incident: ReportedIncident;
  readonly userId: string | null;
  readonly channel: string;
  readonly state: 'pending' | 'sent' | 'failed' | 'cancelled';
  readonly kind: string;
  readonly createdAt: number;
};

type Options = {
  readonly sql: Sql;
  readonly organizationId: string;
  readonly teams: readonly string[];
  readonly users: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly seed: number;
  readonly count: number;
};

const idOf = (letter: string, number: number) =>
  `${letter}${number.toString(16).padStart(23, '0')}`;

export async function seedReported(options: Options) {
  const luck = new Luck(options.seed);
  const begin = Date.parse(options.from);
  const seconds = (Date.parse(options.to) - begin) / 1_000;
  const rules = [idOf('f', 1), idOf('f', 2), idOf('f', 3)];
  const integrations = [idOf('d', 1), idOf('d', 2), null];
  const incidents = Array.from({ length: options.count }, (_, index): ReportedIncident => {
    const createdAt = begin + luck.below(seconds) * 1_000;
    const isResolved = luck.below(4) > 0;
    const integration_id = luck.of(integrations);
    return {
      id: idOf('e', index + 1),
      number: index + 1,
      title: `Incident ${index + 1}`,
      team_id: luck.of(options.teams),
      service_id: luck.of([idOf('c', 1), idOf('c', 2)]),
      integration_id,
      dedup_key: integration_id === null ? `by hand ${index}` : `key ${luck.below(12)}`,
      suppressed: luck.below(3),
      createdAt,
      acknowledged: Array.from({ length: luck.below(3) }, () => ({
        // The clock of another server may be behind.
        at: createdAt + (luck.below(5_000) - 5) * 1_000,
        by: luck.of(['user', 'user', 'key', 'alert'] as const),
      })).sort((a, b) => a.at - b.at),
      resolvedAt: isResolved ? createdAt + luck.below(90_000) * 1_000 : null,
      byTimer: isResolved && luck.below(5) === 0,
      isMerged: isResolved && luck.below(6) === 0,
      // One that was answered may have been opened again, or merged.
      verdict: luck.below(3) === 0 ? luck.of(verdicts) : null,
      rules: luck.below(50) === 0 ? null : rules.filter(() => luck.below(4) === 0),
      isTest: luck.below(8) === 0,
    };
  });
  const pages = incidents.flatMap((incident) =>
    Array.from(
      { length: luck.below(4) },
      (): ReportedPage => ({
        incident,
        userId: luck.of([...options.users, null]),
        channel: luck.of(['email', 'sms', 'slack']),
        state: luck.of(['sent', 'sent', 'sent', 'failed', 'cancelled', 'pending']),
        kind: luck.of(['page', 'page', 'nobody_paged', 'all_clear']),
        createdAt: incident.createdAt + luck.below(3_600) * 1_000,
      }),
    ),
  );
  await insert(options, incidents, pages);
  // Stored with the others, and counted by no report.
  const tests = incidents.filter(({ isTest }) => isTest);
  return {
    tests,
    incidents: incidents.filter(({ isTest }) => !isTest),
    pages: pages.filter(({ incident }) => !incident.isTest),
  };
}

const time = (at: number | null) => (at === null ? null : new Date(at).toISOString());

async function insert(
  { sql, organizationId }: Options,
  incidents: readonly ReportedIncident[],
  pages: readonly ReportedPage[],
): Promise<void> {
  const rows = incidents.map((one) => ({
    ...one,
    created_at: time(one.createdAt),
    resolved_at: time(one.resolvedAt),
    merged_into_id: one.isMerged ? idOf('e', 1) : null,
    escalation: one.rules === null ? {} : { appliedRules: one.rules },
  }));
  await sql`
    insert into incidents (organization_id, id, number, title, status, team_id, service_id,
      integration_id, source_integration_id, escalation_policy_id, dedup_key, links, responder_ids,
      suppressed_count, repeat_count, created_at, updated_at, resolved_at, resolved_by_timer,
      merged_into_id, steps, escalation, verdict, is_test)
    select ${organizationId}, id, number, title,
      case when resolved_at is null then 'triggered' else 'resolved' end, team_id, service_id,
      integration_id, integration_id, team_id, dedup_key, '[]', '[]', suppressed, 0, created_at,
      created_at, resolved_at, "byTimer", merged_into_id, '[]', escalation, verdict, "isTest"
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (id text, number integer,
      title text, team_id text, service_id text, integration_id text, dedup_key text,
      suppressed integer, created_at timestamptz, resolved_at timestamptz, "byTimer" boolean,
      merged_into_id text, escalation json, verdict text,
      "isTest" boolean)`;
  const entries = incidents.flatMap(({ id, number, acknowledged }) =>
    acknowledged.map(({ at, by }, index) => ({
      incident_id: id,
      id: idOf('a', number * 10 + index),
      at: time(at),
      actor: { type: by, id: 'x', name: 'Somebody', via: 'api' },
      sequence: index + 1,
    })),
  );
  await sql`
    insert into timeline (organization_id, incident_id, id, at, type, text, actor, sequence)
    select ${organizationId}, incident_id, id, at, 'acknowledged', 'acknowledged', actor, sequence
    from json_to_recordset(${JSON.stringify(entries)}::text::json) as r (incident_id text, id text,
      at timestamptz, actor json, sequence integer)`;
  const notices = pages.map(({ incident, createdAt, ...page }, index) => ({
    ...page,
    key: `notice ${index}`,
    incident_id: incident.id,
    created_at: time(createdAt),
  }));
  await sql`
    insert into outbox (organization_id, key, incident_id, kind, channel, recipient_key, notice,
      cycle, step, user_id, rank, state, attempts, created_at)
    select ${organizationId}, key, incident_id, kind, channel, 'to', '{}', 0, 0, "userId", 1, state,
      1, created_at
    from json_to_recordset(${JSON.stringify(notices)}::text::json) as r (key text,
      incident_id text, kind text, channel text, "userId" text, state text,
      created_at timestamptz)`;
}
