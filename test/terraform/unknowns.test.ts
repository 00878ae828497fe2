// Every value may be unknown while Terraform plans, at whatever depth, and come out null.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fromJson } from '../../src/terraform/convert.ts';
import { type Managed, managedRecords } from '../../src/terraform/managed.ts';
import { problemsOf } from '../../src/terraform/planning/checks.ts';
import type { Existing } from '../any-fields.ts';
import { anyResources, fullyConfigured } from './any-configuration.ts';
import { type Path, pathsIn, replacedAt, valueAt } from './paths.ts';
import {
  existingIn,
  type Fields,
  literal,
  type RunningTerraform,
  startTerraform,
} from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

/** A record of which one value is known late. */
type Case = { readonly one: Managed; readonly fields: Fields; readonly path: Path };
type Late = Case & { readonly value: unknown };

const samplesPerType = 20;

describe('values that are known late', { skip: noTerraform ?? false }, () => {
  let at: RunningTerraform;
  let cases: readonly Case[];
  before(async () => {
    at = await startTerraform();
    cases = casesOf(await existingIn(at));
  });
  after(() => at[Symbol.asyncDispose]());

  /** Terraform knows what this resource puts out only when it has made it anew. */
  const configure = (all: readonly Late[], round: number) =>
    at.configure({
      resource: [
        {
          terraform_data: {
            late: { input: literal(all.map(({ value }) => value)), triggers_replace: round },
          },
        },
        ...all.map(({ one, fields, path }, index) => ({
          [one.typeName]: {
            [`r${index}`]: replacedAt(
              literal(fields),
              path,
              `\${terraform_data.late.output[${index}]}`,
            ),
          },
        })),
      ],
    });

  test('records are made of them, and changed by them', async () => {
    const late = cases.map((each) => ({ ...each, value: valueAt(each.fields, each.path) }));
    await configure(late, 1);
    await at.apply();
    assert.deepEqual(await at.changes(), []);

    await configure(late, 2);
    const changes = await at.changes();
    // Of what is written only, nothing is there to compare.
    const compared = late.filter(({ path }) => !String(path.at(-1)).endsWith('_wo'));
    assert.equal(changes.length, compared.length + 1);
    for (const { address, actions } of changes)
      assert.equal(
        actions,
        address === 'terraform_data.late' ? 'delete create' : 'update',
        address,
      );
    await at.apply('planned');
    assert.deepEqual(await at.changes(), []);
  });

  test('what may be left out may turn out to be null', async () => {
    const late = cases.filter(mayBeNull).map((each) => ({ ...each, value: null }));
    await configure(late, 3);
    await at.apply();
    assert.deepEqual(await at.changes(), []);
    await at.succeeds('destroy', '-auto-approve');
  });

  test('what may not is told, as soon as it is known', async () => {
    const bad = cases.filter((each) => !mayBeNull(each));
    await configure(
      bad.map((each) => ({ ...each, value: null })),
      4,
    );
    const late = await at.workspace.run('apply', '-auto-approve', '-input=false');
    assert.equal(late.code, 1);
    assert.doesNotMatch(late.errors, /Provider produced|crashed|panic|bug/);
    assert.deepEqual([...(await at.state()).keys()], ['terraform_data.late']);

    const known = bad.map(({ one, fields, path }, index) => ({
      [one.typeName]: { [`r${index}`]: replacedAt(literal(fields), path, null) },
    }));
    await at.configure({ resource: known });
    const { code, errors } = await at.workspace.run('validate');
    assert.equal(code, 1);
    assert.doesNotMatch(errors, /crashed|panic/);
    for (const [index, { one, path }] of bad.entries())
      assert.match(errors, new RegExp(`${one.typeName}\\.r${index},`), `${path}`);
  });
});

/** One of each place that a declaration has. */
function casesOf(existing: Existing): readonly Case[] {
  const sample = anyResources(existing, samplesPerType);
  const cases = managedRecords.flatMap((one) => {
    const whole = fullyConfigured(one, existing).map(({ name, value }) => [name, value]);
    const samples = Object.values(sample[one.typeName] ?? {});
    return [Object.fromEntries(whole), ...samples].flatMap((fields) =>
      pathsIn(fields).map((path) => ({ one, fields, path })),
    );
  });
  const placeOf = ({ one, path }: Case) =>
    [one.typeName, ...path.map((key) => (typeof key === 'number' ? '*' : key))].join('.');
  return [...new Map(cases.map((each) => [placeOf(each), each])).values()];
}

const mayBeNull = ({ one: { resource, attributes }, fields, path }: Case) =>
  problemsOf(resource, fromJson(attributes, replacedAt(fields, path, null))).length === 0;
