// A playbook that ran itself, by way of others, would never end: such a change is refused.
import type { Problem } from '../../resources/declaration/resource.ts';
import { playbook } from '../../resources/playbook.ts';
import type { Lookup } from '../../storage/records/uses.ts';
import { actionsOf } from './references.ts';
import type { Proposal } from './written.ts';

/**
 * Tells each action that leads back to the playbook it is of; nothing leads to a new one. A change
 * that would close a loop together with this one, at the same time, is of a playbook that is
 * looked at here: one of the two waits for the other, and sees it.
 */
export async function checkLoops(
  { resource, before, written }: Proposal,
  look: Lookup,
): Promise<readonly Problem[]> {
  if (resource.name !== playbook.name || before === undefined) return [];
  const runs = actionsOf(resource, written.fields).flatMap((action, index) =>
    action.type === 'playbook' ? [{ id: action.playbook_id, index }] : [],
  );
  const ways = await waysFrom(
    runs.map(({ id }) => id),
    look,
  );
  return runs.flatMap(({ id, index }) =>
    leadsTo(before.id, id, ways)
      ? [{ path: `actions[${index}].playbook_id`, message: 'leads back to this playbook itself' }]
      : [],
  );
}

type Ways = ReadonlyMap<string, readonly string[]>;

/** What each playbook runs, of these and of all that they lead to. */
async function waysFrom(ids: readonly string[], look: Lookup): Promise<Ways> {
  const ways = new Map<string, readonly string[]>();
  for (let next = new Set(ids); next.size > 0; ) {
    const found = await look(playbook.name, [...next]);
    for (const id of next) ways.set(id, found.get(id)?.playbookIds ?? []);
    next = new Set([...next].flatMap((id) => ways.get(id) ?? [])).difference(new Set(ways.keys()));
  }
  return ways;
}

function leadsTo(target: string, from: string, ways: Ways): boolean {
  const reached = new Set([from]);
  // A set yields what is added while it is walked.
  for (const id of reached) for (const next of ways.get(id) ?? []) reached.add(next);
  return reached.has(target);
}
