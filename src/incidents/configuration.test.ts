import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildConfiguration } from '../../test/configuration.ts';
import {
  configurationIn,
  NotConfigured,
  personIn,
  policyIn,
  rotaIn,
  teamIn,
  webhookIn,
} from './configuration.ts';

test('a lookup of what is not configured is a fault, and never looks like an answer', () => {
  const empty = buildConfiguration();
  for (const lookup of [policyIn, webhookIn, teamIn, personIn, rotaIn])
    assert.throws(() => lookup(empty, 'nobody'), NotConfigured, lookup.name);
  assert.throws(() => configurationIn(new Map(), 'nobody'), NotConfigured);
});
