import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildConfiguration } from '../../test/configuration.ts';
import { adaThenLin, eve, Life, later, opened, withSteps } from '../../test/incident-life.ts';
import { type Incident, withEscalation } from './incident.ts';
import { type PagingState, pagingState, type RoundPages } from './paging-state.ts';

const delayed = opened({ integration: withSteps(adaThenLin, 10) }).incident;
const { incident: running } = opened();
const { incident: notReached } = opened({
  configuration: buildConfiguration({ channels: new Set() }),
});
const acknowledged = new Life();
acknowledged.does({ type: 'acknowledge', by: eve }, 1);
const ended = withEscalation(running, { stepAt: null });
const muted = { ...running, muted_until: later(60) };
const none = { sentAt: null, isAdminNotified: false, isPending: false };
const pending = { ...none, isPending: true };
const sent = { ...none, sentAt: later(0) };
const admins = { ...none, isAdminNotified: true };
const twoSteps = opened({ integration: withSteps(adaThenLin, 0) }).incident;

type Case = readonly [string, Incident, RoundPages, PagingState | null, Temporal.Instant?];
const cases: readonly Case[] = [
  ['no step has run', delayed, none, 'waiting'],
  ['its page is on its way', running, pending, 'sending'],
  ['its page arrived, and a step comes', twoSteps, sent, 'paged', later(9)],
  ['its page arrived just now, and nothing comes', ended, sent, 'paged'],
  ['its page arrived a while ago, and nothing comes', ended, sent, 'unanswered', later(5)],
  ['one page arrived, another has not', ended, { ...sent, isPending: true }, 'paged', later(9)],
  ['every page failed', running, none, 'nobody_reached'],
  ['no step could page anybody', notReached, none, 'nobody_reached'],
  ['no step could page anybody, and an admin was reached', notReached, admins, 'admins_only'],
  ['the page to an admin is on its way', notReached, pending, 'sending'],
  ['it is acknowledged', acknowledged.incident, sent, null],
  ['it is muted', muted, none, null],
];
for (const [when, incident, pages, state, at = later(1)] of cases)
  test(`${when}: ${state}`, () => {
    assert.equal(pagingState(incident, pages, at), state);
  });
