// Another organisation on the same server, with a key of its own.
import type { Sql } from '../src/storage/database.ts';
import { seedOrganization } from '../test/world.ts';
import type { Bench } from './world.ts';

/** The bench's server as that organisation sees it. */
export async function seedNeighbour(bench: Bench, sql: Sql): Promise<Bench> {
  const { organizationId } = await seedOrganization(sql, { name: 'Neighbour' });
  // A key of ours becomes theirs: what is stored of it is only a digest.
  const { id, key } = await bench.api('POST /api-keys', { name: 'Neighbour', role: 'owner' });
  await sql`update api_keys set organization_id = ${organizationId} where id = ${String(id)}`;
  return bench.as(String(key));
}
