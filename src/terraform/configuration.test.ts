import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { configurationProblems, readConfiguration } from './configuration.ts';
import { Decimal, Unknown, type Value } from './protocol/value.ts';

const team = '5f0c1e2d3c4b5a6978877665';
const nothing = {
  api_key: null,
  base_url: null,
  team_id: null,
  workspace: null,
  max_retries: null,
  timeout: null,
  effects: null,
  ca_cert_file: null,
  client_cert_file: null,
  client_key_file: null,
};

function configured(config: Value, environment: NodeJS.ProcessEnv = {}) {
  const reading = readConfiguration(config, environment);
  return reading.type === 'configured' ? reading.configuration : reading.type;
}

function wrong(config: Value, environment: NodeJS.ProcessEnv = {}): readonly unknown[] {
  const reading = readConfiguration(config, environment);
  const diagnostics = reading.type === 'wrong' ? reading.diagnostics : [];
  return diagnostics.map(({ attribute }) => attribute?.steps?.[0]?.attribute_name);
}

test('a setting comes from the configuration, else the environment, else its default', () => {
  const named = { PAGER_BASE_URL: '', PAGER_TEAM_ID: team, PAGER_WORKSPACE: 'prod' };
  const environment = { PAGER_API_KEY: 'theirs', ...named };
  const config = { api_key: 'mine', base_url: 'https://pager.example.com/api/v1', team_id: null };
  const managedBy = { tool: 'terraform', workspace: 'prod' };
  const own = { ...config, workspace: 'test' };
  assert.deepEqual(configured(own, environment), {
    managedBy: { ...managedBy, workspace: 'test' },
    effects: 'summary',
    apiKey: 'mine',
    baseUrl: 'https://pager.example.com/api/v1',
    teamId: team,
    budget: { retriesMax: 20, totalMs: 120_000 },
    proxy: null,
    certificates: {},
  });
  assert.deepEqual(configured(nothing, environment), {
    managedBy,
    effects: 'summary',
    apiKey: 'theirs',
    baseUrl: 'http://localhost:8080/api/v1',
    teamId: team,
    budget: { retriesMax: 20, totalMs: 120_000 },
    proxy: null,
    certificates: {},
  });
});

test('how much a plan shows of its effects may be set, or be known later', () => {
  const config = { ...nothing, api_key: 'mine' };
  for (const [effects, expected] of [
    ['all', 'all'],
    ['summary', 'summary'],
    [new Unknown(), 'summary'],
  ] as const) {
    const read = configured({ ...config, effects });
    assert.equal(typeof read === 'object' && read.effects, expected);
  }
  assert.deepEqual(wrong({ ...config, effects: 'everything' }), ['effects']);
});

test('how long failures are waited for may be set, to nothing even', () => {
  const config = { ...nothing, api_key: 'mine', max_retries: 0, timeout: 600 };
  const read = configured(config);
  assert.ok(typeof read === 'object');
  assert.deepEqual(read.budget, { retriesMax: 0, totalMs: 600_000 });
});

test('a setting that is not known yet is neither wrong nor read', () => {
  for (const name of Object.keys(nothing)) {
    if (name === 'effects') continue;
    const config = { ...nothing, api_key: 'mine', [name]: new Unknown() };
    assert.equal(configured(config, { PAGER_API_KEY: 'theirs' }), 'unknown', name);
  }
});

describe('wrong settings are told at their attribute', () => {
  test('a missing key, but only when it is needed', () => {
    assert.deepEqual(wrong(nothing), ['api_key']);
    assert.deepEqual(wrong({ ...nothing, api_key: '' }), ['api_key']);
    assert.deepEqual(configurationProblems(nothing, {}), []);
  });

  test('a key as an editor leaves it in a file', () => {
    assert.deepEqual(wrong({ ...nothing, api_key: 'mine\n' }), ['api_key']);
  });

  test('all at once', () => {
    const config = { api_key: null, base_url: 'localhost:8080', team_id: 'platform' };
    assert.deepEqual(wrong(config), ['base_url', 'team_id', 'api_key']);
    assert.deepEqual(wrong({ ...nothing, api_key: 'mine' }, { PAGER_TEAM_ID: 'x' }), ['team_id']);
  });

  test('a budget that is none', () => {
    for (const [max_retries, timeout] of [
      [-1, 0],
      [1.5, new Decimal('0.5')],
      [1_001, 86_401],
    ] as const)
      assert.deepEqual(wrong({ ...nothing, api_key: 'mine', max_retries, timeout }), [
        'max_retries',
        'timeout',
      ]);
  });

  test('a workspace that is none', () => {
    for (const workspace of ['', 'two words', 'prüfung', 'w'.repeat(256)])
      assert.deepEqual(wrong({ ...nothing, api_key: 'mine', workspace }), ['workspace'], workspace);
  });

  test('an address that begins like one and is none', () => {
    for (const base_url of ['http://[::1', 'https://my host/api/v1', 'http://a:99999'])
      assert.deepEqual(wrong({ ...nothing, api_key: 'mine', base_url }), ['base_url'], base_url);
  });
});
