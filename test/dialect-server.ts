// The routes of other services over one integration of our own form.

import type { Room } from '../src/admission/room.ts';
import { mountDialects } from '../src/api/dialects/mount.ts';
import { mountHooks } from '../src/api/hooks.ts';
import { limitGuesses } from '../src/api/http/guesses.ts';
import { readStoredEvent, typeOf } from '../src/api/stored-events.ts';
import { createIds } from '../src/engine/ids.ts';
import { silentLog } from '../src/engine/log.ts';
import { testApi } from './api.ts';
import { noSns } from './vendors/sns.ts';
import type { Pager } from './stories/story.ts';

/** Of the integration. */
export const key = 'a'.repeat(40);
export const unknown = 'b'.repeat(40);

export type Sent = {
  readonly body?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export async function openDialects(pager: Pager, strangers?: Room) {
  const { sql, clock } = pager;
  const { id } = await pager.integration({ steps: [pager.step('ada')] });
  const { organizationId } = pager.scope;
  const known = { organizationId, integrationId: id, slug: 'webhook', integrationName: 'Checks' };
  const { app } = await testApi({ sql, clock });
  const { intake } = pager.serve({ typeOf, read: readStoredEvent });
  const recognise = limitGuesses(async (secret) => (secret === key ? known : null), { clock });
  mountHooks(app, { intake, recognise, typeOf, sns: noSns, log: silentLog });
  const noted: string[] = [];
  mountDialects(app, {
    ...{ intake, sql, clock, ids: createIds(clock), log: silentLog, recogniseKey: recognise },
    noteUnknownKey: (kind, secret, agent) => noted.push(`${kind} ${secret.slice(0, 4)} ${agent}`),
    ...(strangers && { strangers }),
  });
  return {
    noted,
    async send(line: string, { body, text, headers = {} }: Sent = {}) {
      const [method, url = ''] = line.split(' ');
      const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
      const answer = await app.inject({
        ...{ method: method as 'GET', url },
        headers: {
          ...(payload !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(payload !== undefined && { payload }),
      });
      const isJson = String(answer.headers['content-type']).includes('json');
      return {
        status: answer.statusCode,
        body: isJson ? answer.json() : answer.body,
        after: answer.headers['retry-after'],
      };
    },
    log: () => sql<
      { path: string; query: string; body: string; outcome: string; reason: string }[]
    >`
      select path, query, body, outcome, reason from events where integration_id = ${id} order by id`,
    archive: () => sql`update integrations set archived_at = ${clock.now()} where id = ${id}`,
    [Symbol.asyncDispose]: () => app.close(),
  };
}
