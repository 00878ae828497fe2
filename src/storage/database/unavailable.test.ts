import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asUnavailable, DatabaseUnavailable } from './unavailable.ts';

const failing = (code: string) => Object.assign(new Error(`it failed by ${code}`), { code });

test('what makes the database unusable is unavailability, and a refusal is known as one', () => {
  const codes = {
    lost: 'CONNECTION_SILENT ECONNREFUSED ETIMEDOUT 08006 25006 53100 53300 57P01 57P03 58030 XX001',
    refused: '28000 28P01 3D000 3F000 42501 42P01 55000 SASL_SIGNATURE_MISMATCH CONNECT_TLS F0000',
  };
  for (const [kind, list] of Object.entries(codes))
    for (const code of list.split(' ')) {
      const error = asUnavailable(failing(code));
      assert.ok(error instanceof DatabaseUnavailable, code);
      assert.equal(error.isRefusal, kind === 'refused', code);
      assert.equal(error.code, code);
    }
});

test('faults of a request stay themselves', () => {
  for (const code of [
    '23505',
    '22P02',
    '57014',
    '55P03',
    '40001',
    '42703',
    'ENOENT',
    'XX000',
    '',
  ]) {
    const error = failing(code);
    assert.equal(asUnavailable(error), error, code);
  }
});

test('what the database has answered did not happen, and what it has not may have', () => {
  const unknown = (code: string) => new DatabaseUnavailable(failing(code)).isOutcomeUnknown;
  for (const code of ['CONNECTION_SILENT', 'ECONNRESET', 'EPIPE', '57P01', '08006'])
    assert.equal(unknown(code), true, code);
  for (const code of ['25006', '42501', '53100', '28P01']) assert.equal(unknown(code), false, code);
});
