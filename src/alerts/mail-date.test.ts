import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstTakenAt, mailDate } from './mail-date.ts';

test('the dates of mails are read as they are written', () => {
  for (const [written, read] of [
    ['Sat, 28 Nov 2026 10:04:05 +0100', '2026-11-28T09:04:05Z'],
    ['28 Nov 2026 10:04 +0000', '2026-11-28T10:04:00Z'],
    ['Sat, 28 Nov 2026 10:04:05 -0530 (IST)', '2026-11-28T15:34:05Z'],
    ['Saturday, 8 November 26 1:04:05 GMT', '2026-11-08T01:04:05Z'],
    ['Sat,28 nov 2026 10:04:05 EST', '2026-11-28T15:04:05Z'],
    ['Thu, 1 Jan 98 00:00:00 Z', '1998-01-01T00:00:00Z'],
    ['Sat, 28 Nov 2026 10:04:60 +0000', '2026-11-28T10:04:59Z'],
    ['Sat, 28 Nov 2026 10:04:05', undefined],
    ['Sat, 28 Nov 2026 10:04:05 XYZ', undefined],
    ['Sat, 31 Feb 2026 10:04:05 +0000', undefined],
    ['Sat, 28 Dez 2026 10:04:05 +0000', undefined],
    ['yesterday', undefined],
    ['', undefined],
    [undefined, undefined],
  ] as const)
    assert.equal(mailDate(written)?.toString(), read, `${written}`);
});

test('the first server that took a mail is the one that says so last', () => {
  const received =
    'from app (app [10.0.0.1]) by relay; id 7 for <x@y>; Sat, 28 Nov 2026 10:00:01 +0000 (UTC)';
  assert.equal(firstTakenAt({ headers: { received } })?.toString(), '2026-11-28T10:00:01Z');
  assert.equal(firstTakenAt({ headers: {} }), undefined);
});
