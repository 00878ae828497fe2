import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Receipt } from '../../engine/sending/receipt.ts';
import { receiptOfCall, receiptOfMessage } from './receipt.ts';

type Summary = readonly [Receipt['state'], reason: string, Receipt['blame']] | null;
const summaryOf = (receipt: Receipt | null): Summary =>
  receipt && [receipt.state, receipt.reason, receipt.blame];

for (const [status, keys, sipCode, expected] of [
  ['queued', 'offered', 0, null],
  ['initiated', 'offered', 0, ['sent', '', null]],
  ['ringing', 'offered', 0, ['sent', '', null]],
  ['in-progress', 'offered', 0, ['answered', '', null]],
  ['completed', 'offered', 200, ['unanswered', 'picked up, but no key was pressed', 'later']],
  [
    ...(['completed', 'missing', 200] as const),
    ['read_out', 'a call without keys was answered by a person or by voicemail', 'later'],
  ],
  ['completed', 'unneeded', 200, ['delivered', 'read out', null]],
  ['busy', 'offered', 486, ['unanswered', 'busy', 'later']],
  ['no-answer', 'missing', 487, ['unanswered', 'no answer', 'later']],
  ['canceled', 'offered', 487, ['undelivered', 'the call was cancelled', 'later']],
  ['failed', 'offered', 404, ['undelivered', 'the number does not exist (SIP 404)', 'contact']],
  ['failed', 'offered', 480, ['undelivered', 'the phone cannot be reached (SIP 480)', 'contact']],
  ['failed', 'offered', 503, ['undelivered', 'the call failed (SIP 503)', 'later']],
  ['failed', 'offered', 0, ['undelivered', 'the call failed', 'later']],
  ['something new', 'offered', 0, null],
] as const)
  test(`a call whose keys are ${keys} that is ${status} (${sipCode})`, () =>
    assert.deepEqual(summaryOf(receiptOfCall(status, { keys, sipCode })), expected));

for (const [status, code, expected] of [
  ['accepted', 0, null],
  ['scheduled', 0, null],
  ['queued', 0, null],
  ['sending', 0, null],
  ['sent', 0, ['sent', '', null]],
  ['delivered', 0, ['delivered', '', null]],
  ['read', 0, ['delivered', '', null]],
  ['canceled', 0, ['undelivered', 'the message was cancelled', 'later']],
  ['failed', 0, ['undelivered', 'the message did not arrive', 'later']],
  [
    'undelivered',
    30003,
    ['undelivered', 'the phone is switched off or out of reach (30003)', 'contact'],
  ],
  ['undelivered', 30006, ['undelivered', 'the number cannot receive SMS (30006)', 'contact']],
  ['undelivered', 39999, ['undelivered', 'the message did not arrive (39999)', 'later']],
  ['something new', 0, null],
] as const)
  test(`a message that is ${status} (${code})`, () =>
    assert.deepEqual(summaryOf(receiptOfMessage(status, code)), expected));
