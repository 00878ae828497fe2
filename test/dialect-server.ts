// The routes of other services over one integration of our own form.

import type { Room } from '../src/admission/room.ts';
import type { SnsClient } from '../src/alerts/sns.ts';
import { mountDialects } from '../src/api/dialects/mount.ts';
import { mountHooks } from '../src/api/events/hooks.ts';
import { typeOf } from '../src/api/events/stored-events.ts';
import { limitGuesses } from '../src/api/http/guesses.ts';
import { createIds } from '../src/engine/ids.ts';
import { Refusals } from '../src/engine/intake/refusals.ts';
import { silentLog } from '../src/engine/log.ts';
import { httpLimits } from '../src/limits/http.ts';
import { noteRefusing } from '../src/storage/ledger/deaf-spells.ts';
import { testApi } from './api.ts';
import { eventReader } from './event-reader.ts';
import type { Pager } from './stories/story.ts';
import { noSns } from './vendors/sns.ts';

/** Of the integration. */
export const key = 'a'.repeat(40);
export const unknown = 'b'.repeat(40);

export type Sent = {
  readonly body?: unknown;
  readonly text?: string;
  readonly bytes?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** The address that it comes from; absent: this machine. */
  readonly from?: string;
};

type Options = {
  /** Of bodies whose key is not known yet. */
  readonly strangers?: Room;
  /** Of the integration; absent: our own form. */
  readonly slug?: string;
  readonly sns?: SnsClient;
};

export async function openDialects(pager: Pager, { strangers, slug, sns }: Options = {}) {
  const { sql, clock } = pager;
  const { id } = await pager.integration({ steps: [pager.step('ada')] });
  const { organizationId } = pager.scope;
  if (slug !== undefined) await sql`update integrations set slug = ${slug} where id = ${id}`;
  const named = { slug: slug ?? 'webhook', integrationName: 'Checks' };
  const known = { organizationId, integrationId: id, ...named };
  const { app } = await testApi({ sql, clock });
  const { intake } = pager.serve({ typeOf, reader: eventReader });
  const recognise = limitGuesses(async (secret) => (secret === key ? known : null), { clock });
  const warnings: Readonly<Record<string, unknown>>[] = [];
  const log = { ...silentLog, warn: (about: object) => void warnings.push({ ...about }) };
  const refusals = new Refusals({
    clock,
    log: silentLog,
    record: intake.record,
    recordDeaf: (refusing) => noteRefusing(sql, refusing),
  });
  const shared = { intake, refusals, typeOf, sns: sns ?? noSns, log };
  mountHooks(app, { ...shared, recognise });
  const noted: string[] = [];
  mountDialects(app, {
    ...shared,
    sql,
    clock,
    ids: createIds(clock),
    recogniseKey: recognise,
    noteUnknownKey: (kind, secret, agent) => noted.push(`${kind} ${secret.slice(0, 4)} ${agent}`),
    ...(strangers && { strangers }),
  });
  return {
    noted,
    /** What the log warns about. */
    warnings,
    /** Leaves the integration room for so many bytes; until that is disposed of. */
    leave: (bytes: number) => intake.enter(id, Math.ceil((httpLimits.eventBytes - bytes) / 2)),
    async send(line: string, { body, text, bytes, headers = {}, from }: Sent = {}) {
      const [method, url = ''] = line.split(' ');
      const payload = bytes ?? text ?? (body === undefined ? undefined : JSON.stringify(body));
      const answer = await app.inject({
        method: method as 'GET',
        url,
        ...(from !== undefined && { remoteAddress: from }),
        headers: {
          ...(payload !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(payload !== undefined && { payload }),
      });
      const isJson = answer.body !== '' && String(answer.headers['content-type']).includes('json');
      return {
        status: answer.statusCode,
        body: isJson ? answer.json() : answer.body,
        after: answer.headers['retry-after'],
        headers: answer.headers,
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
