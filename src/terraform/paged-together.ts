// Which schedules are paged by one step of a policy: whether it reaches somebody depends on all.
import type { Fields, Result } from '../client/answer.ts';
import type { Client } from '../client/client.ts';
import { listAll } from '../client/pages.ts';
import { isObject } from '../resources/declaration/is-object.ts';
import { escalationPolicy } from '../resources/escalation-policy.ts';

/** By the id of a schedule, those of all that a step pages with it. */
export type PagedTogether = ReadonlyMap<unknown, ReadonlySet<unknown>>;

/** By all policies that the API key may see. */
export async function readPagedTogether(client: Client): Promise<Result<PagedTogether>> {
  const policies = await listAll(client, `/${escalationPolicy.route}`);
  return policies.ok ? { ok: true, value: pagedTogether(policies.value) } : policies;
}

export function pagedTogether(policies: readonly Fields[]): PagedTogether {
  const together = new Map<unknown, Set<unknown>>();
  for (const step of policies.flatMap(({ steps }) => objectsIn(steps))) {
    const ids = objectsIn(step['targets']).flatMap((target) => target['oncall_schedule_id'] ?? []);
    for (const id of ids) together.set(id, new Set([...(together.get(id) ?? []), ...ids]));
  }
  return together;
}

const objectsIn = (list: unknown): readonly Fields[] =>
  Array.isArray(list) ? list.filter(isObject) : [];
