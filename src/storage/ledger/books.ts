// What teams decided beforehand, compiled once per change of it.
import type { TeamKey } from '../../engine/ledger.ts';
import type { Playbook } from '../../incidents/actions/playbook.ts';
import { type Book, bookOf, emptyBook } from '../../incidents/actions/ruled.ts';
import { type CompiledRule, compileRule, type Rule } from '../../rules/rule.ts';
import type { Transaction } from '../database.ts';

/** What one process holds of one team; `version` tells whether it is old. */
type Held = {
  readonly version: number;
  readonly book: Book;
  /** By the rule as it is stored: one that stayed the same is not compiled again. */
  readonly compiled: ReadonlyMap<string, CompiledRule>;
};
export type HeldBooks = Map<string, Held>;
/** Of teams' books, as this transaction saw them; null: there is none. */
export type Versions = Map<string, number | null>;

const teamsMax = 1_000;

type Version = { team_id: string; version: number };
type Shelf = { readonly held: HeldBooks; readonly versions: Versions };

/** Both parts of the shelf are filled with what is read. */
export async function books(
  sql: Transaction,
  { held, versions }: Shelf,
  teams: readonly TeamKey[],
): Promise<ReadonlyMap<string, Book>> {
  await readVersions(
    sql,
    versions,
    teams.filter((team) => !versions.has(team.team_id)),
  );
  const sought = teams.filter(({ team_id }) => {
    const version = versions.get(team_id) ?? null;
    return version !== null && version !== held.get(team_id)?.version;
  });
  if (sought.length > 0) await readInto(held, sql, sought);
  return new Map(teams.map(({ team_id }) => [team_id, held.get(team_id)?.book ?? emptyBook]));
}

async function readVersions(
  sql: Transaction,
  versions: Versions,
  teams: readonly TeamKey[],
): Promise<void> {
  if (teams.length === 0) return;
  const rows = await sql<Version[]>`
    select team_id, version from rule_books where ${among(sql, teams)}`;
  for (const { team_id } of teams) versions.set(team_id, null);
  for (const { team_id, version } of rows) versions.set(team_id, version);
}

const among = (sql: Transaction, teams: readonly TeamKey[]) => sql`
  organization_id = any(${[...new Set(teams.map((team) => team.organization_id))]})
  and team_id = any(${teams.map((team) => team.team_id)})`;

type Row = Version & { rules: readonly RuleRow[]; playbooks: readonly PlaybookRow[] };
/** What is absent is null. */
type RuleRow = Omit<Rule, 'integration_ids' | 'service_ids'> & {
  readonly integration_ids: Rule['integration_ids'] | null;
  readonly service_ids: Rule['service_ids'] | null;
};
type PlaybookRow = Omit<Playbook, 'run_automatically' | 'condition_groups'> & {
  readonly run_automatically: Playbook['run_automatically'] | null;
  readonly condition_groups: Playbook['condition_groups'] | null;
};

/** One statement: the rules and the playbooks are those of the version. */
async function readInto(
  held: HeldBooks,
  sql: Transaction,
  teams: readonly TeamKey[],
): Promise<void> {
  const rows = await sql<Row[]>`
    select b.team_id, b.version,
      coalesce((
        select json_agg(r order by r.position nulls last, r.counter)
        from (
          select id, name, condition_groups, actions, integration_ids, service_ids,
            position, counter
          from alert_routing_rules
          where organization_id = b.organization_id and team_id = b.team_id
            and archived_at is null and enabled is not false
        ) r
      ), '[]') as rules,
      coalesce((
        select json_agg(p order by p.counter)
        from (
          select id, name, team_id, archived_at is not null as archived, enabled, actions,
            run_automatically, condition_groups, counter
          from playbooks
          where organization_id = b.organization_id and team_id = b.team_id
        ) p
      ), '[]') as playbooks
    from rule_books b where ${among(sql, teams)}`;
  for (const row of rows) {
    const before = held.get(row.team_id)?.compiled ?? new Map();
    held.delete(row.team_id);
    held.set(row.team_id, heldOf(row, before));
  }
  for (const oldest of held.keys()) {
    if (held.size <= teamsMax) break;
    held.delete(oldest);
  }
}

function heldOf({ version, rules, playbooks }: Row, before: Held['compiled']): Held {
  const compiled = new Map(
    rules.map((row) => {
      const text = JSON.stringify(row);
      return [text, before.get(text) ?? compileRule(ruleOf(row))];
    }),
  );
  return { version, compiled, book: bookOf([...compiled.values()], playbooks.map(playbookOf)) };
}

const ruleOf = ({ integration_ids, service_ids, ...rule }: RuleRow): Rule => ({
  ...rule,
  ...(integration_ids && { integration_ids }),
  ...(service_ids && { service_ids }),
});

const playbookOf = ({
  run_automatically,
  condition_groups,
  ...playbook
}: PlaybookRow): Playbook => ({
  ...playbook,
  ...(run_automatically && { run_automatically }),
  ...(condition_groups && { condition_groups }),
});
