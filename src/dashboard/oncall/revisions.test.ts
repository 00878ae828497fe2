import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Revision } from './queries.ts';
import { differencesOf } from './revisions.ts';

const layer = (id: string, ...users: (string | null)[]) => ({
  id,
  users,
  rotation: { length: 1, unit: 'weeks' as const, handoff: '09:00' },
});
const revision = (...layers: Revision['layers']): Revision => ({
  number: 1,
  from: '2026-11-23T00:00:00Z',
  archived: false,
  timezone: 'Etc/UTC',
  layers,
});
const [a, b, c] = [layer('a', 'ada'), layer('b', 'lin'), layer('c', 'eve')];
const brief = (before: Revision, after: Revision) =>
  differencesOf(before, after).map((one) => {
    if (one.path === 'layer') return `layer ${one.layer.id} ${one.before}>${one.after}`;
    return 'number' in one ? `${one.path} of ${one.number}` : `${one.path} ${one.after}`;
  });

test('what a write changed is told by path', () => {
  const was = revision(a, b);
  const rotation = { length: 2, unit: 'weeks' as const };
  const cases: [Revision, string[]][] = [
    [was, []],
    [{ ...was, archived: true }, ['archived true']],
    [{ ...was, timezone: 'Asia/Tokyo' }, ['timezone Asia/Tokyo']],
    [revision(a, b, c), ['layer c null>3']],
    [revision(c, a, b), ['layer c null>1', 'layer a 1>2', 'layer b 2>3']],
    [revision(b), ['layer a 1>null', 'layer b 2>1']],
    [revision(a, layer('b', 'lin', null)), ['users of 2']],
    [revision({ ...a, rotation }, b), ['rotation of 1']],
    [revision(a, { ...b, starts_at: '2027-01-01T00:00:00Z' }), ['starts_at of 2']],
    [
      revision({ ...b, restriction: { windows: [] } }, a),
      ['layer b 2>1', 'restriction of 1', 'layer a 1>2'],
    ],
  ];
  for (const [after, expected] of cases) assert.deepEqual(brief(was, after), expected);
});
