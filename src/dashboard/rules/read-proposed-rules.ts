import { readList } from '../api/pager.ts';
import type { Draft } from '../form/draft.ts';
import { fieldsOf } from '../form/form.ts';
import { resourceOf } from '../records/declared.ts';
import { rules } from './kind.ts';
import type { Placed } from './order.ts';
import { proposedRules } from './replay.ts';

type Proposed = {
  /** Null: it is left out. */
  readonly rule: Draft | null;
  /** Absent: it is not saved yet. */
  readonly id: string | undefined;
  readonly teamId: string | undefined;
};

/** The saved rules of the team, with one of them as it would be. */
export async function readProposedRules({ rule, id, teamId }: Proposed) {
  const of = teamId === undefined ? {} : { team_id: teamId };
  const saved = await readList<Placed & Draft>(rules.path, of);
  const names = fieldsOf(resourceOf(rules)).map(({ name }) => name);
  return proposedRules(saved, { id, rule }, names);
}
