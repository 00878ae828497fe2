import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hueOf, initialsOf } from './person.ts';
import { remaining } from './remaining.ts';

test('a countdown is in minutes and seconds below an hour, then in hours and days', () => {
  const cases = [
    [0, '0:00'],
    [59, '0:59'],
    [192, '3:12'],
    [3_599, '59:59'],
    [3_600, '1h'],
    [86_399, '23h'],
    [172_800, '2d'],
  ] as const;
  for (const [seconds, text] of cases) assert.equal(remaining(seconds), text);
});

test('a person has the initials of their first and last name, of any script', () => {
  assert.equal(initialsOf('Ada Byron'), 'AB');
  assert.equal(initialsOf('Grace Brewster Hopper'), 'GH');
  assert.equal(initialsOf('ada'), 'A');
  assert.equal(initialsOf('𝒜da Ödön'), '𝒜Ö');
  assert.equal(initialsOf(' '), '');
});

test('a person keeps their colour, and none is that of an alarm', () => {
  const ids = Array.from({ length: 200 }, (_, index) => index.toString(16).padStart(24, '0'));
  const hues = new Set(ids.map(hueOf));
  assert.equal(hueOf(ids[7] ?? ''), hueOf(ids[7] ?? ''));
  assert.equal(hues.size, 10);
  assert.ok([...hues].every((hue) => hue > 45 && hue < 345));
});
