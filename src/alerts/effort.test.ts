import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostileBodies } from '../../test/hostile-bodies.ts';
import { pushed } from '../../test/http-event.ts';
import { repair } from './body/repair.ts';
import { bounded, isSpent, spend, TooMuchWork, workOf } from './effort.ts';
import { integrationTypes } from './index.ts';

const about = {
  receivedAt: Temporal.Instant.from('2026-11-21T03:00:00Z'),
  integrationName: 'Pumps',
};

test('a bound within another one is part of it, and says which of the two was exceeded', () => {
  const spentIn = (inner: number, outer: number, units: number): boolean | undefined =>
    bounded(outer, () => {
      try {
        bounded(inner, () => spend(units));
      } catch (error) {
        assert.ok(error instanceof TooMuchWork);
        return isSpent();
      }
      return undefined;
    });
  assert.equal(spentIn(10, 100, 10), undefined);
  assert.equal(spentIn(10, 100, 11), false);
  assert.equal(spentIn(100, 10, 11), true);
  assert.equal(isSpent(), false, 'nothing is bounded outside');
  assert.throws(() => bounded(10, () => [1, 2].map(() => bounded(10, () => spend(6)))));
  assert.equal(
    workOf(() => spend(7)),
    7,
  );
});

test('repairing a text takes work that grows with its length, and no more', () => {
  for (const [name, { text }] of Object.entries(hostileBodies(16 * 1024))) {
    const work = workOf(() => repair(text));
    assert.ok(work <= 32 * text.length, `${name}: ${work / text.length} a character`);
  }
  const breaks = '{"title":"'.padEnd(1024 * 1024, '\n');
  assert.ok(workOf(() => repair(breaks)) < 1_000, 'control characters are repaired together');
});

test('reading a large body counts its bytes at least, whatever the type', () => {
  const bodies = Object.entries(hostileBodies(64 * 1024));
  for (const type of integrationTypes)
    for (const [name, { text, contentType }] of bodies) {
      const body = new TextEncoder().encode(text);
      const request = { ...pushed, path: '/x', contentType, body };
      const work = workOf(() => {
        try {
          bounded(body.length, () => type.read(request, about));
        } catch (error) {
          assert.ok(error instanceof TooMuchWork, `${type.slug}, ${name}: ${error}`);
        }
      });
      assert.ok(work >= body.length, `${type.slug}, ${name}: ${work} of ${body.length}`);
    }
});

test('a body is parsed once for all that read it', (context) => {
  const parse = context.mock.method(JSON, 'parse');
  const body = new TextEncoder().encode('{"title":"Disk full","secret":"of the pump"}');
  const request = { ...pushed, path: '/x', contentType: 'application/json', body };
  for (const slug of ['opsgenie-alert-api', 'github', 'webhook']) {
    const type = integrationTypes.find((one) => one.slug === slug);
    type?.secretsIn?.(request);
    type?.read(request, about);
  }
  assert.equal(parse.mock.callCount(), 1);
});
