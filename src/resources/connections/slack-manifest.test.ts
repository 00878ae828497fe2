import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { slackManifest } from './slack-manifest.ts';

test('the guide has the manifest that Pager gives', () => {
  const guide = readFileSync(
    new URL('../../../docs/connections/slack.md', import.meta.url),
    'utf8',
  );
  const [, manifest = ''] = /```json\n([\s\S]+?)\n```/.exec(guide) ?? [];
  assert.deepEqual(JSON.parse(manifest), slackManifest);
});
