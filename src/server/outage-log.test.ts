import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofDatabase } from '../storage/database/unavailable.ts';
import { createOutageLog } from './outage-log.ts';

const errorOf = (code: string) => Object.assign(new Error(`refused by ${code}`), { code });

function start() {
  const lines: string[] = [];
  let now = 0;
  const write = (level: string) => (_fields: object, message: string) =>
    void lines.push(`${level}: ${message}`);
  const all = { info: write('info'), warn: write('warn'), error: write('error') };
  const { log, answered } = createOutageLog(all, () => now);
  const fail = (code: string) => log.error({ err: ofDatabase(errorOf(code)) }, 'a loop failed');
  const later = (seconds: number) => {
    now += seconds * 1_000;
  };
  return { lines, log, answered, fail, later };
}

test('an outage has a line for each reason, and one for its end', () => {
  const { lines, answered, fail, later } = start();
  const codes = [
    'ECONNREFUSED',
    '57P03',
    'CONNECTION_SILENT',
    '28P01',
    '28P01',
    'ETIMEDOUT',
    '25006',
  ];
  for (const code of codes) fail(code);
  answered();
  later(11);
  answered();
  answered();
  const tail = 'requests get 503, and everything else is retried';
  assert.deepEqual(lines, [
    `error: the database is unavailable: refused by ECONNREFUSED; ${tail}`,
    `error: the database is unavailable: refused by 28P01; ${tail}`,
    `error: the database is unavailable: refused by 25006; ${tail}`,
    'info: the database can be used again',
  ]);
  fail('ECONNREFUSED');
  assert.equal(lines.length, 5);
});

test('while some is refused and the rest is answered, the outage goes on', () => {
  const { lines, answered, fail, later } = start();
  for (let second = 0; second < 100; second += 1) {
    fail('42501');
    later(1);
    answered();
  }
  assert.equal(lines.length, 1);
});

test('everything else is logged as it comes', () => {
  const { lines, log, fail } = start();
  log.warn({ err: new Error('the mail server is away') }, 'a mail failed');
  log.error({}, 'a line without an error');
  log.warn({ err: errorOf('ECONNRESET') }, 'a mail client was lost');
  fail('23505');
  assert.deepEqual(lines, [
    'warn: a mail failed',
    'error: a line without an error',
    'warn: a mail client was lost',
    'error: a loop failed',
  ]);
});
