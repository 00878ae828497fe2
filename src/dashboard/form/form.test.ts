import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyFields, type Existing, withSlug } from '../../../test/any-fields.ts';
import { readBody } from '../../api/records/body.ts';
import { patchOf } from '../../client/patch.ts';
import { alertRoutingRule } from '../../resources/alert-routing-rule.ts';
import { isObject } from '../../resources/declaration/is-object.ts';
import { MASK } from '../../resources/declaration/references-and-secrets.ts';
import type { Problem } from '../../resources/declaration/resource.ts';
import { escalationPolicy } from '../../resources/escalation-policy.ts';
import { records } from '../../resources/index.ts';
import { outboundWebhook } from '../../resources/outbound-webhook.ts';
import { playbook } from '../../resources/playbook.ts';
import { masksIn, problemsOf } from './check.ts';
import { uncorrected } from './corrected.ts';
import { bodyOf, type Draft, draftOf, newDraft, typedNumber, withValue } from './draft.ts';
import { fieldLabelsOf } from './field-labels.ts';
import { fieldsOf } from './form.ts';
import { helpText } from './help.ts';
import { fieldFor, fieldsShown } from './parts.ts';
import { textOf } from './text.ts';

const id = (letter: string) => letter.repeat(24);
const existing: Existing = {
  user: [id('a')],
  team: [id('b')],
  service: [id('c')],
  escalation_policy: [id('d')],
  integration: [id('e')],
  oncall_schedule: [id('f')],
  outbound_webhook: ['0123456789abcdef01234567'],
  playbook: ['abcdef0123456789abcdef01'],
};

const anyRecord = (resource: (typeof records)[number]) =>
  anyFields(resource, existing).map(
    // As it comes from the API.
    (fields) => JSON.parse(JSON.stringify(withSlug(resource, fields))) as Draft,
  );

for (const resource of records) {
  const fields = fieldsOf(resource);

  test(`every valid ${resource.name} is shown, edited and saved unchanged`, () =>
    fc.assert(
      fc.property(anyRecord(resource), (record) => {
        const draft = draftOf(fields, record);
        assert.deepEqual(bodyOf(fields, draft), record);
        assert.deepEqual(problemsOf(resource, draft), []);
        assert.deepEqual(patchOf(bodyOf(fields, draft), bodyOf(fields, draft)), {});
        const [first] = fields;
        assert.ok(first);
        const touched = withValue(fields, draft, [first.name, 'another']);
        const undone = withValue(fields, touched, [first.name, draft[first.name]]);
        assert.equal(JSON.stringify(undone), JSON.stringify(draft));
        for (const { name, widget } of fields) textOf(widget, draft[name], (_, one) => one);
      }),
      { numRuns: 60 },
    ));

  test(`every mistake in a ${resource.name} is shown at a field, in the words of the API`, () =>
    fc.assert(
      fc.property(anyRecord(resource), fc.nat(), fc.constantFrom(...mistakes), (...chosen) => {
        const [record, place, mistake] = chosen;
        const broken = brokenAt(draftOf(fields, record), place, mistake);
        const problems = problemsOf(resource, broken);
        const shown = fieldsShown(fields, broken);
        const lost = problems.filter(({ path }) => fieldFor(path, shown) === undefined);
        assert.deepEqual(lost, []);
        assert.deepEqual(problems, asTheApi(resource, bodyOf(fields, broken)));
      }),
      { numRuns: 150 },
    ));
}

/** What a form may hold for a while: nothing, an empty text, a text that is no number, too much. */
const mistakes: readonly unknown[] = [undefined, '', 'x', 'x'.repeat(20_000), 0, -1, []];

/** The draft with a mistake in place of one of its values, which are counted as they are visited. */
function brokenAt(draft: Draft, place: number, mistake: unknown): Draft {
  const count = leavesOf(draft);
  let left = count === 0 ? 0 : place % count;
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one)]));
    left -= 1;
    return left === -1 && fits(value, mistake) ? mistake : value;
  };
  return walk(draft) as Draft;
}

/** A widget only makes mistakes of its kind: a field of a number holds no list. */
function fits(value: unknown, mistake: unknown): boolean {
  if (mistake === undefined) return true;
  if (typeof value === 'string') return typeof mistake === 'string';
  if (typeof value === 'number') return typeof mistake !== 'object';
  return false;
}

function leavesOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum, one) => sum + leavesOf(one), 0);
  if (isObject(value)) return leavesOf(Object.values(value));
  return 1;
}

/** As a server reads it, but for regular expressions, which only it compiles. */
const asTheApi = (resource: (typeof records)[number], body: Draft): readonly Problem[] =>
  readBody(resource, body).problems.filter(
    ({ message }) => !message.includes('regular expression'),
  );

test('a step without its minutes is refused at its field', () => {
  const target = { via: 'email', user_id: id('a') };
  const draft = draftOf(fieldsOf(escalationPolicy), {
    name: 'Nights',
    steps: [{ targets: [target] }, { targets: [target] }],
  });
  const [problem] = problemsOf(escalationPolicy, draft);
  assert.equal(problem?.path, 'steps[0].escalate_after_minutes');
  assert.ok(fieldsShown(fieldsOf(escalationPolicy), draft).has('steps[0].escalate_after_minutes'));
});

test('two headers with the same name are refused, since an object would keep one', () => {
  const draft = {
    name: 'n',
    url: 'https://example.test',
    headers: [
      ['x-a', '1'],
      ['x-a', '2'],
    ],
  };
  assert.deepEqual(problemsOf(outboundWebhook, draft), [
    { path: 'headers["x-a"]', message: 'is listed twice' },
  ]);
});

test('what hides a secret is not sent back', () => {
  assert.deepEqual(masksIn(outboundWebhook, { url: MASK, headers: { 'x-a': MASK, 'x-b': null } }), [
    { path: 'url', message: 'is hidden: enter it again' },
    { path: 'headers["x-a"]', message: 'is hidden: enter it again' },
  ]);
  assert.deepEqual(masksIn(outboundWebhook, { name: MASK }), []);
});

test('a condition without an occasion is refused at the conditions', () => {
  const draft = {
    name: 'n',
    actions: [{ type: 'acknowledgeIncident' }],
    condition_groups: [{ conditions: [{ type: 'allIncidents' }] }],
  };
  assert.deepEqual(problemsOf(playbook, draft), [
    { path: 'condition_groups', message: 'requires run_automatically' },
  ]);
});

test('what was refused goes with the field that is changed, or with another that it names', () => {
  const left = (message: string, draft: Draft) => {
    const refused = [{ path: 'service_ids', message }];
    const sent = { name: 'n', service_ids: [id('c')] };
    return uncorrected(alertRoutingRule, refused, { sent, draft: { ...sent, ...draft } }).length;
  };
  assert.equal(left('requires integration_ids', {}), 1);
  assert.equal(left('requires integration_ids', { name: 'other' }), 1);
  assert.equal(left('requires integration_ids', { integration_ids: [id('e')] }), 0);
  assert.equal(left('requires integration_ids', { service_ids: [id('d')] }), 0);
  assert.equal(left('does not match any service of integration_ids', {}), 1);
  assert.equal(left('does not match any service of integration_ids', { integration_ids: [] }), 0);
  assert.equal(fieldLabelsOf(alertRoutingRule).get('integration_ids'), 'Integrations');
  assert.equal(fieldLabelsOf(escalationPolicy).get('oncall_schedule_id'), 'On-call schedule');
});

test('a new record begins with empty fields for what it must have', () => {
  assert.deepEqual(newDraft(fieldsOf(playbook)), { name: '', actions: [{}] });
  assert.deepEqual(newDraft(fieldsOf(outboundWebhook)), { name: '', url: '' });
});

test('help speaks to whoever fills in the form, not to programs', () => {
  const cases = [
    ['The limit. If absent, there is no limit.', 'The limit. Leave empty for no limit.'],
    [
      'The rules. If absent, all services. Requires integration_ids.',
      'The rules. Leave empty for all services. Requires “Integrations”.',
    ],
    ['It runs. If empty or absent, it never does.', 'It runs. If empty, it never does.'],
    ['Whether it runs. If false, it is skipped.', 'Whether it runs. If off, it is skipped.'],
    ['The person. Use this or user_id.', 'The person.'],
    ['The start, HH:MM, such as 09:00.', 'The start.'],
    ['The priority. p1 is the most urgent.', 'The priority. P1 is the most urgent.'],
  ] as const;
  for (const [description, help] of cases) assert.equal(helpText(description), help);
  const enabled = fieldsOf(playbook).find(({ name }) => name === 'enabled');
  assert.match(enabled?.help ?? '', / On by default\.$/);
});

test('labels are read from names, with the unit as a suffix', () => {
  const labels = (resource: (typeof records)[number]) =>
    fieldsOf(resource).map(({ label }) => label);
  assert.deepEqual(labels(outboundWebhook), [
    ...['Name', 'URL', 'Method', 'Content type', 'Headers', 'Description'],
  ]);
});

for (const [typed, value] of [
  ['5', 5],
  [' 12 ', 12],
  ['', undefined],
  ['-3', -3],
  ['1.5', '1.5'],
  ['five', 'five'],
  ['99999999999999999999', '99999999999999999999'],
] as const)
  test(`"${typed}" as a number is ${JSON.stringify(value)}`, () =>
    assert.equal(typedNumber(typed), value));
