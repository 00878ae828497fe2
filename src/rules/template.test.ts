import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildFacts } from '../../test/facts.ts';
import { templateProblems } from '../resources/declaration/template.ts';
import { fill, fillTitle } from './template.ts';

const facts = buildFacts({
  details: { host: 'db-12', load: [1, 2], cost: '$& {{title}}', note: 'two\nlines', gone: null },
});

const filled: readonly [template: string, text: string][] = [
  ['{{title}}', 'Disk full on db-12'],
  ['{{ severity }}: {{title}}', 'sev2: Disk full on db-12'],
  ['[{{priority}}]', '[]'],
  ['{{details.host}}/{{details.load}}/{{details.load.1}}', 'db-12/[1,2]/2'],
  ['{{details.nothing}}', ''],
  ['{{alerts_total}} alerts', '1 alerts'],
  ['{{details.cost}}', '$& {{title}}'],
  ['no places } { }}', 'no places } { }}'],
];

for (const [template, text] of filled)
  test(`${template} becomes ${text}`, () => assert.equal(fill(template, facts), text));

test('a title is one line of at most 200 characters, cut between words', () => {
  assert.equal(fillTitle('{{details.note}}', facts), 'two lines');
  const long = fillTitle(`{{title}} ${'word '.repeat(100)}`, facts);
  assert.ok(long.length <= 200);
  assert.match(long, / word$/);
});

test('a title never becomes empty', () => {
  assert.equal(fillTitle(' {{priority}}', facts), 'Disk full on db-12');
});

test('a value takes at most 1,000 characters', () => {
  const details = { dump: 'x'.repeat(5_000) };
  assert.equal(fill('{{details.dump}}', buildFacts({ details })).length, 1_000);
});

test('what is filled in can be stored, wherever it had to be cut', () => {
  const details = { face: `${'x'.repeat(999)}😀`, zero: 'a\0b' };
  const filled = fill('{{details.face}}{{details.zero}}', buildFacts({ details }));
  assert.equal(filled, `${'x'.repeat(999)}\ufffda\ufffdb`);
  assert.equal(fill('{{details.face}}'.repeat(62), buildFacts({ details })).length, 10_000);
});

const wrong: readonly [template: string, place: string][] = [
  ['{{titel}}', '{{titel}}'],
  ['{{alerts_total.x}}', '{{alerts_total.x}}'],
  ['{{toString}}', '{{toString}}'],
  ['ok {{title}} {{details}}', '{{details}}'],
  ['{{details.}}', '{{details.}}'],
  ['{{title', '{{title'],
  ['{{}}', '{{}}'],
];

for (const [template, placeholder] of wrong)
  test(`${template} is refused for ${placeholder}`, () => {
    const [problem, ...others] = templateProblems('actions[0].template', template);
    assert.equal(problem?.path, 'actions[0].template');
    assert.ok(
      problem?.message.startsWith(`contains the unknown placeholder ${placeholder}: `),
      problem?.message,
    );
    assert.deepEqual(others, []);
  });

test('places that can be filled are no problem, whatever is in the details', () => {
  const template = '{{title}} {{priority}} {{severity}} {{ details.labels.a.b }} {single}';
  assert.deepEqual(templateProblems('title', template), []);
});
