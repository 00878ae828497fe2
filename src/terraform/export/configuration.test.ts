import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configurationOf } from './configuration.ts';

const nothing = { records: [], mappings: [], users: [], teams: [] };

function providerOf(baseUrl: string): string {
  const { files } = configurationOf(nothing, { baseUrl, teamId: null });
  return files.find(({ name }) => name === 'provider.tf')?.text ?? '';
}

test('the address of the API is written, unless there is a password in it', () => {
  const address = 'https://pager.example.com/api/v1';
  assert.match(providerOf(address), /^ {2}base_url = "https:\/\/pager\.example\.com\/api\/v1"$/m);
  assert.doesNotMatch(providerOf(address.replace('://', '://ops:secret@')), /base_url|secret/);
});

test('an organization without records has a provider and no file that is empty', () => {
  const { files } = configurationOf(nothing, { baseUrl: 'http://localhost', teamId: null });
  assert.deepEqual(
    files.map(({ name }) => name),
    ['provider.tf', 'variables.tf'],
  );
});
