import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothClocks } from './both-clocks.ts';

const at = Date.parse('2026-03-07T21:00:00Z');
const text = (zone: string) => `in ${zone}`;

test('a time is shown on both clocks where they differ', () => {
  assert.equal(
    onBothClocks('Europe/Berlin', at, text, 'America/New_York'),
    'in Europe/Berlin Berlin · in America/New_York your time',
  );
  assert.match(onBothClocks('America/New_York', at, text, 'Etc/UTC'), / New York · /);
});

test('zones that show the same time are shown once, and so is a zone alone', () => {
  assert.equal(onBothClocks('Europe/Berlin', at, text, 'Europe/Vienna'), 'in Europe/Berlin');
  assert.equal(onBothClocks('Europe/Berlin', at, text, null), 'in Europe/Berlin');
});
