import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesIn, pathsNamed, withLabels } from './problem-words.ts';

const labels: Readonly<Record<string, string>> = {
  integration_ids: 'Integrations',
  'settings.from_sms': 'SMS sender',
};
const labelOf = (name: string) => labels[name];

for (const [text, shown] of [
  ['requires integration_ids', 'requires “Integrations”'],
  ['is required, or settings.from_sms', 'is required, or “SMS sender”'],
  ['must be a host such as smtp.example.com', 'must be a host such as smtp.example.com'],
  ['is one of a_newer_server', 'is one of a_newer_server'],
  ['must look like PAGER_URL', 'must look like PAGER_URL'],
] as const)
  test(`"${text}" reads "${shown}"`, () => assert.equal(withLabels(text, labelOf), shown));

test('a problem names its siblings by their names alone', () => {
  assert.deepEqual(namesIn('must be after starts_at'), ['starts_at']);
  assert.deepEqual(pathsNamed('layers[0].ends_at', 'starts_at'), [
    'layers[0].starts_at',
    'starts_at',
  ]);
  assert.equal(pathsNamed('service_ids', 'integration_ids')[0], 'integration_ids');
});
