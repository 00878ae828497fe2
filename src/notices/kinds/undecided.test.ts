import assert from 'node:assert/strict';
import { test } from 'node:test';
import { undecided } from './undecided.ts';

test('a notice of events that are cut alarms nobody, and says which setting allows more', () => {
  const words = undecided.words({
    key: 'k',
    about: 'undecided',
    kind: 'undecided',
    why: 'you are an admin of its team',
    organization: { id: 'o', name: 'Acme' },
    undecided: {
      of: 'storage',
      id: 'i',
      name: 'Checks',
      reason: 'The storage budget for 2026-03-02 (UTC) is spent.',
    },
  });
  assert.equal(words.tone, 'warning');
  assert.equal(words.lead, 'Events of an integration are only partly stored');
  assert.match(words.details, /2026-03-02.*\n\n.*PAGER_EVENT_STORAGE_MIB_PER_DAY/s);
});
