import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleAccountNotice } from './kinds/account.ts';
import { sampleCodeNotice } from './kinds/code.ts';
import { sampleNotice } from './kinds/incident.ts';
import { sampleShiftNotice } from './kinds/shift.ts';
import { sampleUsageNotice } from './kinds/usage.ts';
import type { Notice } from './notice.ts';
import { speechOf } from './speech.ts';

const handles = { acknowledge: 'a', resolve: 'r', escalate: 'e' };
const page = 'This is Pager, for Acme and Sons.';
const incident = 'Service Payments. Priority 1. Disk full on db dash 1. Incident number forty-two.';
const menu =
  'To acknowledge, press 4. To resolve, press 6. To escalate, press 9. To hear this again, press star.';

const cases: readonly (readonly [name: string, Notice, hasKeys: boolean, text: string])[] = [
  ['a page', sampleNotice({ handles }), true, `${page} Incident triggered. ${incident} ${menu}`],
  [
    'a page where keys have no effect',
    sampleNotice({ handles }),
    false,
    `${page} Incident triggered. ${incident} Keys have no effect in this call. Open Pager to acknowledge or resolve.`,
  ],
  [
    'a page after unanswered steps',
    sampleNotice({ handles, unansweredSteps: 2 }, { status: 'acknowledged' }),
    true,
    `${page} Nobody answered steps 1 to 2. ${incident} To resolve, press 6. To hear this again, press star.`,
  ],
  [
    'a page of somebody who may not act',
    sampleNotice({ readOnlyRole: 'viewer' }),
    true,
    `${page} Incident triggered. ${incident} You cannot acknowledge or resolve it.`,
  ],
  [
    'the start of a shift',
    sampleShiftNotice(),
    true,
    `${page} You are on call now. Payments primary. Until Sat 28 November 2026 09:00.`,
  ],
  [
    'a code',
    sampleCodeNotice(),
    true,
    `${page} Your code is: 0, 4, 2, 1, 3, 7. Your code is: 0, 4, 2, 1, 3, 7. If you did not request it, hang up. Without the code, you get no calls here.`,
  ],
  [
    'the use of the limit',
    sampleUsageNotice(),
    true,
    `${page} 80 percent of the monthly alert limit is used. Acme and Sons.`,
  ],
  [
    'an invitation',
    sampleAccountNotice(),
    true,
    `${page} You are invited to Pager. Acme and Sons.`,
  ],
];

for (const [name, notice, hasKeys, text] of cases)
  test(`${name} is read out whole`, () => assert.equal(speechOf(notice, { hasKeys }).text, text));

test('a long title is cut', () => {
  const { text } = speechOf(sampleNotice({}, { title: 'disk '.repeat(200) }), { hasKeys: true });
  assert.ok(text.length < 400);
  assert.match(text, /disk… Incident number forty-two\./);
});
