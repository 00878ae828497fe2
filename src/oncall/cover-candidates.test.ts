import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryLimits } from '../limits/queries.ts';
import { coverCandidates } from './cover-candidates.ts';

const layers = [{ users: ['ada', null, 'lin'] }, { users: ['lin', 'eve', 'bob'] }];
const isActive = (id: string) => id !== 'eve';

test('the other active people of all layers are asked, each once, in their order', () => {
  const ids = coverCandidates({ layers, except: ['ada'], isActive });
  assert.deepEqual(ids, ['lin', 'bob']);
});

test('neither is whoever asks for somebody else', () => {
  assert.deepEqual(coverCandidates({ layers, except: ['ada', 'lin'], isActive }), ['bob']);
});

test('of very many, the first are asked', () => {
  const users = Array.from({ length: queryLimits.coverCandidates + 1 }, (_, index) => `${index}`);
  const ids = coverCandidates({ layers: [{ users }], except: [], isActive });
  assert.deepEqual(ids, users.slice(0, -1));
});
