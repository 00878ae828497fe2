// The examples of docs/mapping.md do what it says.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { typeOf } from '../../src/alerts/index.ts';
import { mappingProblems } from '../../src/alerts/reading/problems.ts';
import { readObject } from '../../src/resources/declaration/validate.ts';
import { mappingInput } from '../../src/resources/integration-mapping.ts';
import { posted } from '../http-event.ts';

const page = await readFile(join(import.meta.dirname, '../../docs/mapping.md'), 'utf8');

test('the mapping of the guide opens and resolves the incident that it tells of', () => {
  const blocks = Array.from(page.matchAll(/```json\n(.*?)```/gs), ([, block = '']) => block);
  const [firing = '', recovered = '', written = '', ...others] = blocks;
  assert.deepEqual(others, []);
  const { forms } = JSON.parse(written);
  assert.equal(readObject(mappingInput, { forms }).ok, true);
  assert.deepEqual(mappingProblems(forms), []);
  const about = { receivedAt: Temporal.Instant.fromEpochMilliseconds(0), integrationName: 'Pumps' };
  const read = (body: string) => {
    const request = { ...posted, path: '/push-events', contentType: 'application/json' };
    const bytes = new TextEncoder().encode(body);
    const type = typeOf('webhook');
    const reading = type?.read({ ...request, body: bytes }, about, { revision: 1, forms });
    assert.ok(reading && 'alerts' in reading);
    return reading.alerts.map(({ action, dedup_key, title }) => [action, dedup_key, title]);
  };
  assert.deepEqual(read(firing), [['trigger', '7', 'Pump 7: no pressure']]);
  assert.deepEqual(read(recovered), [['resolve', '7', 'Pump 7: pressure is back']]);
});

test('every place of the guide is understood', () => {
  const places = Array.from(page.matchAll(/^\| `([^`]+)` \| (?:the|a|from)/gm), ([, place = '']) =>
    place.replace('\\|', '|'),
  );
  assert.ok(places.length >= 10, String(places.length));
  for (const place of places) assert.deepEqual(mappingProblems([{ title: [place] }]), [], place);
});

test('every field of a form is in the guide', () => {
  const { properties } = mappingInput.properties.forms.items;
  for (const name of Object.keys(properties)) assert.match(page, new RegExp(`\`${name}\``));
});
