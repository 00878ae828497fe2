import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from './log.ts';

function written(environment: Record<string, string>): readonly string[] {
  const lines: string[] = [];
  const log = createLog(environment, (line) => lines.push(line));
  log('debug', 'asked', { path: '/services', '@level': 'mine' });
  log('warn', 'refused');
  return lines;
}

const cases = [
  { environment: {}, lines: 0 },
  { environment: { TF_LOG: '' }, lines: 0 },
  { environment: { TF_LOG: 'off' }, lines: 0 },
  { environment: { TF_LOG: 'ERROR' }, lines: 0 },
  { environment: { TF_LOG: 'warn' }, lines: 1 },
  { environment: { TF_LOG: 'trace' }, lines: 2 },
  { environment: { TF_LOG: 'JSON' }, lines: 2 },
  { environment: { TF_LOG: 'trace', TF_LOG_PROVIDER: 'error' }, lines: 0 },
  { environment: { TF_LOG_PROVIDER: 'debug' }, lines: 2 },
];

test('Terraform’s variables say what is written', () => {
  for (const { environment, lines } of cases)
    assert.equal(written(environment).length, lines, JSON.stringify(environment));
});

test('a line is what Terraform reads of a provider’s log', () => {
  const [line = ''] = written({ TF_LOG: 'debug' });
  const { '@timestamp': timestamp, ...rest } = JSON.parse(line);
  assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  assert.deepEqual(rest, {
    path: '/services',
    '@level': 'debug',
    '@message': 'asked',
    '@module': 'pager',
  });
});
