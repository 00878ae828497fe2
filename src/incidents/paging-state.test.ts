import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildConfiguration } from '../../test/configuration.ts';
import { adaThenLin, eve, Life, later, opened, withSteps } from '../../test/incident-life.ts';
import type { Incident } from './incident.ts';
import { type PagingState, pagingState, type RoundPages } from './paging-state.ts';

const delayed = opened({ integration: withSteps(adaThenLin, 10) }).incident;
const { incident: running } = opened();
const { incident: notReached } = opened({
  configuration: buildConfiguration({ channels: new Set() }),
});
const acknowledged = new Life();
acknowledged.does({ type: 'acknowledge', by: eve }, 1);
const muted = { ...running, muted_until: later(60) };
const [none, pending, sent, both] = [
  { isSent: false, isPending: false },
  { isSent: false, isPending: true },
  { isSent: true, isPending: false },
  { isSent: true, isPending: true },
];

const cases: readonly (readonly [string, Incident, RoundPages, PagingState | null])[] = [
  ['no step has run', delayed, none, 'waiting'],
  ['its page is on its way', running, pending, 'sending'],
  ['its page arrived', running, sent, 'paged'],
  ['one page arrived, another has not', running, both, 'paged'],
  ['every page failed', running, none, 'nobody_reached'],
  ['no step could page anybody', notReached, none, 'nobody_reached'],
  ['no step could page anybody, and an admin was reached', notReached, sent, 'paged'],
  ['it is acknowledged', acknowledged.incident, sent, null],
  ['it is muted', muted, none, null],
];
for (const [when, incident, pages, state] of cases)
  test(`${when}: ${state}`, () => {
    assert.equal(pagingState(incident, pages), state);
  });
