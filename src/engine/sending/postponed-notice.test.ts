import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noon } from '../../../test/incident-life.ts';
import { postponeMinutes } from '../faults.ts';
import { type BrokenNotice, postponementOf } from './postponed-notice.ts';

const error = new Error('it has no address');
const reason = 'could not be sent, or recorded as sent: it has no address';
const row: BrokenNotice['row'] = {
  organization_id: 'o',
  key: 'k',
  incident_id: 'i',
  kind: 'page',
  channel: 'email',
  reason: null,
  created_at: noon.subtract({ hours: 24 }),
};
const waits = String(noon.add({ minutes: postponeMinutes }));
const tooOld = noon.subtract({ hours: 24, milliseconds: 1 });

type Case = {
  readonly fields: Partial<BrokenNotice['row']>;
  readonly isNew: boolean;
  readonly wakeAt: string;
  readonly text: string | undefined;
};
const cases: Readonly<Record<string, Case>> = {
  'waits, and its timeline shows why': {
    fields: {},
    isNew: true,
    wakeAt: waits,
    text: `A notice by e-mail ${reason}; it waits`,
  },
  'waits on without a further entry for the same reason': {
    fields: { reason },
    isNew: false,
    wakeAt: waits,
    text: undefined,
  },
  'has no timeline without an incident': {
    fields: { incident_id: null },
    isNew: true,
    wakeAt: waits,
    text: undefined,
  },
  'is abandoned after a day, with another entry': {
    fields: { reason, created_at: tooOld },
    isNew: false,
    wakeAt: 'null',
    text: `A notice by e-mail ${reason}; it was abandoned`,
  },
};

for (const [title, { fields, ...expected }] of Object.entries(cases))
  test(`a notice that fails alone ${title}`, () => {
    const result = postponementOf({ row: { ...row, ...fields }, error }, noon);
    const { isNew, wakeAt, entry } = result;
    assert.equal(result.reason, reason);
    assert.deepEqual({ isNew, wakeAt: String(wakeAt), text: entry?.text }, expected);
  });
