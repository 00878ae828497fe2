// Events that are made to be slow, and mappings tried on them, are read by the threads of a server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { hostileBodies } from '../hostile-bodies.ts';
import { request } from './api-client.ts';
import { startInProcess } from './in-process.ts';

const KIB = 1024;

test('a slow event opens an incident without the thread that pages, and so is a mapping tried on it', async () => {
  await using pager = await startInProcess(await anyDatabase(), {});
  const [{ id, webhook_url }] = await pager.api.list('integrations');
  const events: string[] = [];
  for (const name of ['backslashes', 'a member with empty objects']) {
    const { text, contentType } = hostileBodies(512 * KIB)[name] ?? assert.fail(name);
    const answer = await fetch(webhook_url, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body: text,
    });
    const body = JSON.parse(await answer.text());
    assert.equal(answer.status, 202, JSON.stringify(body));
    assert.equal(body.alerts[0].outcome, 'opened', name);
    events.push(body.event_id);
  }
  const [firing, recovered] = events;
  const bodies = {
    suggest: { firing, recovered },
    try: { forms: [{ title: ['title'], key: [['title']] }], event_ids: events },
  };
  for (const [route, body] of Object.entries(bodies)) {
    const answer = await pager.api.send(`POST /integrations/${id}/mapping/${route}`, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body).slice(0, 500));
  }
  const { body: metrics } = await request(`${pager.url}/metrics`);
  for (const task of ['readArriving', 'mappingSuggestion', 'mappingTrial']) {
    const done = new RegExp(
      `^pager_worker_tasks_total\\{.*task="${task}".*outcome="done".*\\} [1-9]`,
      'm',
    );
    assert.match(metrics, done);
  }
});
