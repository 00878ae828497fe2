import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { handleText, readHandle, readRunHandle, runHandleText } from './handles.ts';

const digestWith = (key: string) => (text: string) =>
  createHmac('sha256', key).update(text).digest();
const digest = digestWith('a key');
const incident = {
  id: '0123456789abcdef01234567',
  organization_id: 'fedcba987654321001234567',
  escalation: { cycle: 2, nextStep: 1 },
};

test('a handle is read as it was written, and fits into a button', () => {
  for (const action of ['acknowledge', 'resolve', 'escalate', 'webhook', 'playbook'] as const) {
    const text = handleText({ action, incident }, digest);
    assert.ok(Buffer.byteLength(text) <= 64, text);
    assert.deepEqual(readHandle(incident.organization_id, text, digest), {
      action,
      incidentId: incident.id,
      at: { cycle: 2, nextStep: 1 },
    });
  }
});

test('a handle of another key or organization, or a changed one, is none', () => {
  const text = handleText({ action: 'acknowledge', incident }, digest);
  const read = (changed: string) => readHandle(incident.organization_id, changed, digest);
  assert.equal(readHandle('000000000000000000000000', text, digest), null);
  assert.equal(readHandle(incident.organization_id, text, digestWith('another')), null);
  for (let at = 0; at < text.length; at += 1) {
    const other = text[at] === 'b' ? 'c' : 'b';
    assert.equal(read(`${text.slice(0, at)}${other}${text.slice(at + 1)}`), null, `at ${at}`);
  }
  for (const wrong of ['', 'a', `${text}a`, text.slice(1)]) assert.equal(read(wrong), null, wrong);
});

test('an entry of a list is read as it was written, and no changed one', () => {
  const { id: incidentId, organization_id } = incident;
  for (const what of ['webhook', 'playbook'] as const) {
    const run = { what, incidentId, id: 'abcdef0123456789abcdef01' };
    const text = runHandleText(organization_id, run, digest);
    assert.ok(Buffer.byteLength(text) <= 75, text);
    assert.deepEqual(readRunHandle(organization_id, text, digest), run);
    assert.equal(readHandle(organization_id, text, digest), null);
    assert.equal(readRunHandle('000000000000000000000000', text, digest), null);
    assert.equal(readRunHandle(organization_id, text, digestWith('another')), null);
    for (let at = 0; at < text.length; at += 1) {
      const other = text[at] === 'b' ? 'c' : 'b';
      const changed = `${text.slice(0, at)}${other}${text.slice(at + 1)}`;
      assert.equal(readRunHandle(organization_id, changed, digest), null, `at ${at}`);
    }
  }
});
