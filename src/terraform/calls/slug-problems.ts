// Only the server knows its integration types: a plan compares with its list, `validate` has none.
import { listAll } from '../../client/pages.ts';
import { isObject } from '../../resources/declaration/is-object.ts';
import type { Problem, Resource } from '../../resources/declaration/resource.ts';
import { integration, slugProblem } from '../../resources/integration.ts';
import { fieldOf } from '../convert.ts';
import type { Value } from '../protocol/value.ts';
import type { Connection } from '../session.ts';

/** Nothing where the list cannot be read: the API decides at the apply. */
export async function slugProblems(
  connection: Connection | null,
  resource: Resource,
  config: Value,
): Promise<readonly Problem[]> {
  const slug = fieldOf(config, 'slug');
  if (connection === null || resource.name !== integration.name) return [];
  if (typeof slug !== 'string' || slug === '') return [];
  const answer = await connection.lookups.at('/integration-types');
  const types = answer.ok ? answer.value?.['data'] : undefined;
  if (!Array.isArray(types) || !types.every(isObject)) return [];
  const slugs = types.map((one) => String(one['slug']));
  if (slugs.includes(slug) || (await isStored(connection, slug))) return [];
  return [slugProblem(slug, slugs)];
}

/** An integration may keep a type that the server no longer has. */
async function isStored({ client }: Connection, slug: string): Promise<boolean> {
  const stored = await listAll(client, `/${integration.route}`, {});
  return !stored.ok || stored.value.some((one) => one['slug'] === slug);
}
