import assert from 'node:assert/strict';
import { test } from 'node:test';
import { objectOf } from '../declaration/field.ts';
import { readObject } from '../declaration/validate.ts';
import { smtp, smtpPortOf } from './smtp.ts';

const shape = objectOf(smtp.settings);
const valid = { host: 'smtp.example.com', from_email: 'pager@example.com' };

function problemsOf(fields: object): readonly string[] {
  const read = readObject(shape, { ...valid, ...fields });
  return read.ok ? [] : read.problems.map(({ path }) => path);
}

const accepted: readonly object[] = [
  { host: 'mail' },
  { host: '192.0.2.25' },
  { host: '2001:db8::25' },
  { host: 'mail_1.internal' },
  { from_email: 'Pager <pager@example.com>' },
  { from_email: '"Pager, on call" <pager@example.com>' },
  { from_email: '<pager@localhost>' },
  { port: 65_535, security: 'none', username: 'apikey' },
];
for (const fields of accepted)
  test(`${JSON.stringify(fields)} is accepted`, () => {
    assert.deepEqual(problemsOf(fields), []);
  });

const refused: readonly (readonly [path: string, value: unknown])[] = [
  ['host', ''],
  ['host', 'smtp.example.com:587'],
  ['host', 'smtp://smtp.example.com'],
  ['host', '-smtp.example.com'],
  ['host', 'smtp.example.com\r\nQUIT'],
  ['port', 0],
  ['port', 65_536],
  ['security', 'ssl'],
  ['username', ''],
  ['username', 'a\nb'],
  ['from_email', 'Pager'],
  ['from_email', 'pager@example.com, other@example.com'],
  ['from_email', 'Pager, on call <pager@example.com>'],
  ['from_email', 'Pager <pager@example.com>\r\nBcc: other@example.com'],
];
for (const [path, value] of refused)
  test(`${path} ${JSON.stringify(value)} is refused`, () => {
    assert.deepEqual(problemsOf({ [path]: value }), [path]);
  });

test('the port is that of the security, unless one is set', () => {
  const ports = [
    {},
    { security: 'starttls' },
    { security: 'tls' },
    { security: 'tls', port: 2465 },
  ];
  assert.deepEqual(ports.map(smtpPortOf), [587, 587, 465, 2465]);
});

test('a connection is known by its host, in any case', () => {
  const idOf = (host: string) => smtp.accountIdOf({ settings: { ...valid, host }, secrets: {} });
  assert.equal(idOf('SMTP.Example.com'), idOf('smtp.example.com'));
  assert.notEqual(idOf('smtp.example.net'), idOf('smtp.example.com'));
});
