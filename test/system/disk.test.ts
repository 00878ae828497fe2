import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { postJson, request } from './api-client.ts';
import { eventually } from './eventually.ts';
import { startMailServer } from './notice-servers.ts';
import { createInstallation, mailTo } from './server-process.ts';
import { mountDisk } from './small-disk.ts';

const DISK_MEGABYTES = 400;
const EVENTS_MAX = 400;

test('on a full disk events are refused, none is lost, and room is all it takes', async (t) => {
  await using disk = await mountDisk(DISK_MEGABYTES);
  if (disk === null) return t.skip('a full disk: only where root may mount a small one');
  await using mail = await startMailServer();
  await using installation = await createInstallation({
    ...mailTo(mail),
    PAGER_DATA_DIR: join(disk.path, 'data'),
  });
  const server = await installation.start();
  const [integration] = await server.api.list('integrations');
  let sent = 0;
  const send = () => {
    sent += 1;
    const body = randomBytes(100_000).toString('base64');
    return postJson(integration.webhook_url, { title: `event ${sent}`, body });
  };
  const accepted = [(await send()).body.event_id];
  await disk.fill();
  let refused = null;
  while (refused === null && sent < EVENTS_MAX) {
    const { status, body } = await send();
    if (status === 202) accepted.push(body.event_id);
    else refused = { status, error: body.error };
  }
  assert.deepEqual(refused, { status: 503, error: 'unavailable' });
  assert.equal((await request(`${server.url}/healthz`)).status, 200);
  assert.equal((await request(`${server.url}/readyz`)).status, 503);

  await disk.makeRoom();
  const after = await eventually('events are accepted again', async () => {
    const { status, body } = await send();
    return status === 202 && body.event_id;
  });
  assert.equal((await request(`${server.url}/readyz`)).status, 200);
  const logged = await everyEvent(server.api.send, integration.id);
  for (const id of [...accepted, after]) assert.ok(logged.has(id), `event ${id} is lost`);
  await mail.arrival('the last page', ({ subject }) => subject.includes(`event ${sent}`));
  assert.equal(await server.stop(), 0);
  const { code, output } = await installation.audit();
  assert.equal(code, 0, output);
});

type Send = (line: string) => Promise<{ body: { data: { id: string }[]; next_cursor: string } }>;

async function everyEvent(send: Send, integrationId: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body } = await send(`GET /integrations/${integrationId}/events?limit=200${from}`);
    for (const { id } of body.data) ids.add(id);
    cursor = body.next_cursor;
  }
  return ids;
}
