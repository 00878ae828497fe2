import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailOf } from '../email.ts';
import { sampleCodeNotice } from './code.ts';

test('a mail tells the code and how long it is valid, and nowhere but in its body', () => {
  const sender = { from: 'Pager <pager@example.com>', domain: 'example.com' };
  const { text, html, ...rest } = emailOf(sampleCodeNotice(), sender);
  assert.match(text, /^Code: 042137$/m);
  assert.match(text, /^Valid until: 2026-11-21 08:15:00 UTC$/m);
  assert.match(html, /042137/);
  assert.doesNotMatch(JSON.stringify(rest), /042137/);
});
