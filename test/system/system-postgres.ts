// The PostgreSQL of the machine, as one that an operator gives; the bundled one in its absence.
import { after } from 'node:test';
import { anyDatabase, startTestServers, type TestServer } from '../database.ts';

/** To be asked for outside of tests: one that it has to start lives until all of them are done. */
export async function systemPostgres(): Promise<TestServer> {
  const url = process.env['PAGER_TEST_PG_SYSTEM'];
  if (url) return { name: 'PostgreSQL (system)', url };
  const started = await startTestServers(['system']);
  after(() => started[Symbol.asyncDispose]());
  return started.servers[0] ?? anyDatabase();
}
