// A key may change from release to release only by a transition: what was opened before would be
// resolved by nothing. So the form that reads a message, and the places that its key is made of, are
// frozen as 0.1.0 had them; a form whose key is another now names the former one (`was`).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { aboutSamples, readSample, samples } from '../../test/tool-samples.ts';
import type { AlertEvent, HttpRequest } from './alert.ts';
import { tools } from './index.ts';
import type { CodedForm, Form } from './reading/notation.ts';
import { readerOf } from './reading/reader.ts';

/** Of each type its forms, in their order: the first that fits reads a message. */
type Frozen = Readonly<Record<string, readonly FrozenForm[]>>;
type FrozenForm = {
  readonly when: readonly string[];
  /** Alternatives; `code` where code makes it; without any it is the name, or the stem of the title. */
  readonly key: readonly (readonly string[])[] | 'code';
  readonly each?: string;
  readonly name?: string | readonly string[];
};

// The file was written by the release.
const frozen = JSON.parse(
  readFileSync(new URL('frozen-keys.json', import.meta.url), 'utf8'),
) as Frozen;

function frozenOf(form: Form | CodedForm): FrozenForm {
  const { when = [] } = form;
  if ('read' in form) return { when, key: 'code' };
  const { key = [], was = key, each, name } = form;
  return {
    when,
    key: was,
    ...(each !== undefined && { each }),
    ...(name !== undefined && { name }),
  };
}

const isSame = (one: FrozenForm, other: FrozenForm): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

test('a form of 0.1.0 makes the key that it made, or names it', () => {
  for (const [slug, forms] of Object.entries(frozen)) {
    const now = tools.find((tool) => tool.slug === slug)?.forms.map(frozenOf);
    assert.ok(now, `the type ${slug} is gone: what it opened is resolved by nothing`);
    for (const form of forms)
      assert.ok(
        now.some((one) => isSame(one, form)),
        `${slug}: the form ${JSON.stringify(form)} was released, and is gone or changed; name its key as \`was\`, or add another form before it for what it does not fit`,
      );
    assert.deepEqual(
      now.filter((one) => forms.some((form) => isSame(one, form))),
      forms,
      `${slug}: released forms must stay in their order`,
    );
  }
});

test('a form names a former key only where it makes another', () => {
  for (const { slug, forms } of tools)
    for (const form of forms)
      if ('was' in form)
        assert.notDeepEqual(form.was, form.key, `${slug} ${JSON.stringify(form.when)}`);
});

test('the former key of a sample is the key that the frozen form makes', () => {
  let changed = 0;
  for (const sample of samples) {
    const reading = readSample(sample);
    const before = readAsFrozen(sample.type.slug, sample.request);
    if ('unreadable' in reading || before === undefined) continue;
    const keys = reading.alerts.map(({ former_key, dedup_key }) => former_key ?? dedup_key);
    assert.deepEqual(keys, before.map(formerOf), sample.file);
    changed += reading.alerts.filter(({ former_key }) => former_key !== undefined).length;
  }
  assert.ok(changed > 10, `${changed} keys of samples have changed`);
});

/** As the declared forms that stand for those of 0.1.0 read it; absent: code makes the key. */
function readAsFrozen(slug: string, request: HttpRequest): readonly AlertEvent[] | undefined {
  const tool = tools.find((one) => one.slug === slug);
  const released = frozen[slug];
  if (tool === undefined || released === undefined || 'read' in tool) return undefined;
  const forms = tool.forms.flatMap((form): readonly (Form | CodedForm)[] => {
    const one = released.find((other) => isSame(frozenOf(form), other));
    if (one === undefined) return [];
    if ('read' in form || one.key === 'code') return [form];
    const { was: _was, constants: _constants, host: _host, ...rest } = form;
    return [{ ...rest, key: one.key }];
  });
  const { name, envelope } = tool;
  const reader = readerOf({ name, forms, ...(envelope !== undefined && { envelope }) });
  const reading = reader.read(request, aboutSamples, () => undefined);
  return 'unreadable' in reading ? undefined : reading.alerts;
}

const formerOf = ({ former_key, dedup_key }: AlertEvent): string => former_key ?? dedup_key;

test('each type says what its tool counts as one problem', () => {
  for (const { slug, problem } of tools) {
    assert.match(problem, /^(?:each|what) /, slug);
    assert.doesNotMatch(problem, /\.$/, slug);
  }
});
