import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleNotice } from './kinds/incident.ts';
import { sampleShiftNotice } from './kinds/shift.ts';
import type { Notice } from './notice.ts';
import { whatsAppMessageOf, whatsAppVariablesOf } from './whatsapp.ts';

const handles = { acknowledge: 'a', resolve: 'r', escalate: 'e' };
const gotIt = { link: 'https://pager.example.com/got-it', handle: 't1' };

test('a page shows what happened, where, and the address of its incident', () => {
  const { text } = whatsAppMessageOf(
    sampleNotice({ handles }, { details: 'See https://x.test/y now' }),
  );
  assert.match(text, /^\*Incident triggered\*\nINC-42 Disk full on <db-1>\nService: Payments\n/);
  assert.match(text, /\nSee {2}now\nhttps:\/\/pager\.example\.com\/incidents\/42\n/);
});

const buttons: readonly (readonly [what: string, Notice, readonly string[]])[] = [
  ['triggered', sampleNotice({ handles }), ['Acknowledge a', 'Resolve r', 'Escalate e']],
  ['acknowledged', sampleNotice({ handles }, { status: 'acknowledged' }), ['Resolve r']],
  ['resolved', sampleNotice({ handles }, { status: 'resolved' }), []],
  ['shown to a viewer', sampleNotice({ handles, readOnlyRole: 'viewer' }), []],
  ['a test', sampleNotice({ gotIt }), ['I got it t1']],
  ['a shift', sampleShiftNotice(), []],
];
for (const [what, notice, expected] of buttons)
  test(`the buttons of what is ${what}`, () => {
    const actual = whatsAppMessageOf(notice).buttons.map(
      ({ title, handle }) => `${title} ${handle}`,
    );
    assert.deepEqual(actual, expected);
  });

const templates: readonly (readonly [what: string, Notice, template: string, start: string])[] = [
  ['a page', sampleNotice({ handles }), 'page', 'INC-42 P1'],
  ['a test', sampleNotice({ gotIt }), 'page', 'INC-42 P1'],
  [
    'an all-clear',
    sampleNotice({ kind: 'all_clear' }, { status: 'resolved' }),
    'notice',
    'Resolved',
  ],
  ['a page to a viewer', sampleNotice(), 'notice', 'Incident triggered'],
];
for (const [what, notice, template, start] of templates)
  test(`the template of ${what}`, () => {
    const filled = whatsAppVariablesOf(notice);
    assert.deepEqual([filled.template, filled.variables[0]], [template, start]);
  });

test('a variable is one line without addresses, and never empty', () => {
  const notice = sampleNotice(
    { handles },
    { title: 'Disk\n\tfull     now https://x.test/y', service: ' ' },
  );
  assert.deepEqual(whatsAppVariablesOf(notice).variables, ['INC-42 P1', '-', 'Disk full now']);
});
