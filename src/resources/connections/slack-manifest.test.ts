import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { slackManifest } from './slack-manifest.ts';

test('the guide has the manifest of an app with a socket', () => {
  const guide = readFileSync(
    new URL('../../../docs/connections/slack.md', import.meta.url),
    'utf8',
  );
  const [, manifest = ''] = /```json\n([\s\S]+?)\n```/.exec(guide) ?? [];
  assert.deepEqual(JSON.parse(manifest), slackManifest(null));
});

test('an app that is called has the address twice, and no socket', () => {
  const url = 'https://pager.example/callbacks/slack/65f000000000000000000001';
  const { features, settings } = slackManifest(url);
  assert.deepEqual(
    features.slash_commands.map((command) => ('url' in command ? command.url : null)),
    [url],
  );
  assert.deepEqual(settings.interactivity, { is_enabled: true, request_url: url });
  assert.equal(settings.socket_mode_enabled, false);
});
