import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleText, withoutHidden } from './visible-text.ts';

for (const [text, shown, without] of [
  ['a\u202eb\u0007\u0000', 'a[U+202E]b\u2407\u2400', 'ab'],
  ['Ada\u200b\u200e\u2066\u00ad\u3164', 'Ada[U+200B][U+200E][U+2066][U+00AD][U+3164]', 'Ada'],
  ['one\r\ntwo\tthree', 'one\ntwo\tthree', 'one\ntwo\tthree'],
  ['Übung 👩🏽‍🚒 שלום می‌خواهم', 'Übung 👩🏽‍🚒 שלום می‌خواهم', 'Übung 👩🏽‍🚒 שלום می‌خواهم'],
] as const)
  test(`${JSON.stringify(text)} is shown as ${JSON.stringify(shown)}`, () => {
    assert.equal(visibleText(text), shown);
    assert.equal(withoutHidden(text), without);
  });

test('marks of direction stay where dates and numbers have them', () => {
  const percent = new Intl.NumberFormat('ar-EG', { style: 'percent' }).format(-1);
  assert.match(percent, /[\u061c\u200e\u200f]/);
  assert.equal(visibleText(percent, { keepsMarks: true }), percent);
  assert.equal(visibleText('a\u202eb\u200f', { keepsMarks: true }), 'a[U+202E]b\u200f');
});
