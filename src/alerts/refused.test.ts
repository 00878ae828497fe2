import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Refused, readRefused, refusalHeader, refusalText } from './refused.ts';
import { storedHeaders } from './request-headers.ts';

const about = { integrationName: 'Checks' };
const read = (fields: Partial<Refused>) => {
  const refused = { status: 413, reason: 'too large', times: 1, isLost: true, ...fields };
  return readRefused({ headers: { [refusalHeader]: refusalText(refused) } }, about);
};

test('what is lost of a tool is an alert, always with the same key', () => {
  const [first, again] = [read({}), read({ reason: 'larger', times: 3 })];
  assert.ok(first && 'alerts' in first && again && 'alerts' in again);
  assert.equal(first.alerts[0]?.action, 'trigger');
  assert.equal(first.alerts[0]?.dedup_key, again.alerts[0]?.dedup_key);
  assert.deepEqual(
    [first.note, again.note],
    ['refused with 413: too large', 'refused with 413: 3 times: larger'],
  );
});

test('what its sender sends again, and what no tool sends, is only noted', () => {
  for (const fields of [{ status: 429 }, { status: 503 }, { status: 552 }, { isLost: false }]) {
    const reading = read(fields);
    assert.ok(reading && 'alerts' in reading);
    assert.deepEqual([reading.alerts, reading.refused], [[], true]);
  }
});

test('no request can say of itself that it was refused', () => {
  const sent = {
    [refusalHeader]: refusalText({ status: 413, reason: '', times: 1, isLost: true }),
  };
  assert.deepEqual(storedHeaders({ headers: ['x-other'] }, sent), {});
  assert.equal(readRefused({ headers: storedHeaders(undefined, sent) }, about), null);
  assert.equal(readRefused({ headers: null }, about), null);
});
