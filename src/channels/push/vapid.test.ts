import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { checkVapid } from '../../../test/push-service.ts';
import { publicKeyText, subjectOf, vapidHeader } from './vapid.ts';

const now = Temporal.Instant.from('2026-11-21T06:00:00Z');
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const vapid = { privateKey, subject: 'mailto:pager@example.com' };

test('a push service accepts the proof at its own origin, until half a day has passed', () => {
  const header = vapidHeader(vapid, 'https://push.example:8443/send/abc?x=1', now);
  const at = { origin: 'https://push.example:8443', key: publicKeyText(privateKey) };
  assert.equal(checkVapid(header, { ...at, now }), null);
  assert.equal(checkVapid(header, { ...at, now: now.add({ hours: 11 }) }), null);
  assert.match(checkVapid(header, { ...at, now: now.add({ hours: 12 }) }) ?? '', /expired/);
  const elsewhere = { ...at, origin: 'https://push.example' };
  assert.match(checkVapid(header, { ...elsewhere, now }) ?? '', /audience/);
  const forged = header.replace(
    /t=([^.]+)\.[^.]+/,
    `t=$1.${Buffer.from('{}').toString('base64url')}`,
  );
  assert.match(checkVapid(forged, { ...at, now }) ?? '', /signature/);
});

test('the public key is an uncompressed point', () => {
  const point = Buffer.from(publicKeyText(privateKey), 'base64url');
  assert.deepEqual([point.length, point[0]], [65, 4]);
});

const https = 'https://pager.example.com';
const subjects: readonly (readonly [from: string, publicUrl: string, subject: string])[] = [
  ['Pager <pager@example.com>', https, 'mailto:pager@example.com'],
  ['pager@example.com', https, 'mailto:pager@example.com'],
  ['Pager <pager@localhost>', https, 'https://pager.example.com'],
  ['Pager <pager@localhost>', `${https}/`, 'https://pager.example.com'],
  ['Pager <pager@localhost>', 'http://localhost:8080', 'mailto:pager@localhost'],
  ['Pager <pager@localhost>', 'https://localhost:8443', 'mailto:pager@localhost'],
  ['Pager <pager@localhost>', 'https://10.0.0.7', 'mailto:pager@localhost'],
];
for (const [from, publicUrl, subject] of subjects)
  test(`mail from ${from} at ${publicUrl} makes the subject ${subject}`, () =>
    assert.equal(subjectOf(from, publicUrl), subject));
