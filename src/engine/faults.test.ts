import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFaultReporter } from './faults.ts';
import { silentLog } from './log.ts';

test('a fault is counted by what it is in, and its log entry names that and the error', () => {
  const counted: string[] = [];
  const logged: object[] = [];
  const log = { ...silentLog, error: (fields: object) => void logged.push(fields) };
  const error = new Error('it cannot be read');
  createFaultReporter(log, (of) => counted.push(of))({ of: 'notice', id: 'n1', error });
  assert.deepEqual(counted, ['notice']);
  assert.deepEqual(logged, [{ err: error, notice: 'n1' }]);
});
