// The key of an alert must never change by an upgrade: what was opened before it would be resolved
// by nothing. So the form that reads a message, and the places that its key is made of, are frozen.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { tools } from '../../test/tools.ts';
import type { CodedForm, Form } from './reading/notation.ts';

const file = new URL('frozen-keys.json', import.meta.url);
/** Adds what is new to the file: `PAGER_FREEZE_KEYS=1 npm test -- src/alerts/frozen-keys.test.ts`. */
const isAdding = process.env['PAGER_FREEZE_KEYS'] === '1';

/** Of each type its forms, in their order: the first that fits reads a message. */
type Frozen = Readonly<Record<string, readonly FrozenForm[]>>;
type FrozenForm = {
  readonly when: readonly string[];
  /** Alternatives; `code` where code makes it; without any it is the name, or the stem of the title. */
  readonly key: readonly (readonly string[])[] | 'code';
  readonly each?: string;
  readonly name?: string | readonly string[];
};

function frozenOf(form: Form | CodedForm): FrozenForm {
  const { when = [] } = form;
  if ('read' in form) return { when, key: 'code' };
  const { key = [], each, name } = form;
  return { when, key, ...(each !== undefined && { each }), ...(name !== undefined && { name }) };
}

const declared: Frozen = Object.fromEntries(
  tools.map(({ slug, forms }) => [slug, forms.map(frozenOf)]),
);

test('keys of types that were released are made as they were', () => {
  // The file is written by this test alone.
  const frozen = JSON.parse(readFileSync(file, 'utf8')) as Frozen;
  for (const [slug, forms] of Object.entries(frozen)) {
    const now = declared[slug];
    assert.ok(now, `the type ${slug} is gone: what it opened is resolved by nothing`);
    for (const form of forms)
      assert.ok(
        now.some((one) => isSame(one, form)),
        `${slug}: the form ${JSON.stringify(form)} was released, and is gone or changed; add another one before it for what it does not fit`,
      );
    assert.deepEqual(
      now.filter((one) => forms.some((form) => isSame(one, form))),
      forms,
      `${slug}: released forms must stay in their order`,
    );
  }
  const added = { ...frozen, ...declared };
  if (isAdding) writeFileSync(file, textOf(added));
  else
    assert.deepEqual(
      frozen,
      added,
      'new forms are frozen by PAGER_FREEZE_KEYS=1 npm test -- src/alerts/frozen-keys.test.ts',
    );
});

const isSame = (one: FrozenForm, other: FrozenForm): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** A form a line, so that a change is seen. */
function textOf(frozen: Frozen): string {
  const types = Object.keys(frozen).sort();
  const lines = types.map((slug) => {
    const forms = frozen[slug]?.map((form) => `\n    ${JSON.stringify(form)}`).join(',');
    return `  ${JSON.stringify(slug)}: [${forms}\n  ]`;
  });
  return `{\n${lines.join(',\n')}\n}\n`;
}
