// Whether a write may be stored: all that is wrong with it at once, or what to warn of.
import { queryLimits } from '../../limits/queries.ts';
import type { Problem } from '../../resources/declaration/resource.ts';
import type { Lookup } from '../../storage/records/uses.ts';
import { invalid, Refusal } from '../failures.ts';
import { hooksOf } from './hooks.ts';
import type { Capabilities, Proposal } from './record-hooks.ts';
import { checkReferences } from './references.ts';

/** Answers warnings; throws a `Refusal` with all mistakes. */
export async function review(
  proposal: Proposal,
  lookup: Lookup,
  capabilities: Capabilities,
): Promise<readonly string[]> {
  const { resource, before, teamId, written } = proposal;
  const { fields } = written;
  const { check, findInoperative } = hooksOf(resource);
  const referring = { schema: resource.input, before: before?.fields, after: fields, teamId };
  const references = await checkReferences(referring, lookup);
  const moved = checkTeam(proposal);
  const problems = [
    ...written.problems,
    ...moved,
    ...((await check?.(proposal, lookup, capabilities)) ?? []),
    ...references.problems,
  ];
  if (problems.length > 0 && problems.length === moved.length)
    throw new Refusal('immutable', { issues: problems });
  if (problems.length > 0) throw invalid(problems);
  const inoperative = findInoperative?.(fields, capabilities) ?? [];
  return [...references.warnings, ...inoperative.slice(0, queryLimits.warnings)];
}

const checkTeam = ({ before, written: { teamId } }: Proposal): readonly Problem[] =>
  before !== undefined && teamId !== null && teamId !== before.team_id
    ? [{ path: 'team_id', message: 'cannot be changed: a record always stays in its team' }]
    : [];
