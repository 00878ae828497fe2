// The bodies of records, without a server: what the document allows, the reader of bodies takes, and
// what breaks one thing that the document says is refused there. `PAGER_TEST_SEED=random` draws others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { warned } from '../../src/api/answers.ts';
import { resolveNames } from '../../src/api/http/resolve-names.ts';
import { asSent, withIgnored } from '../../src/api/openapi/sent-schema.ts';
import { ignoredOf, readBody } from '../../src/api/records/body.ts';
import type { Caller } from '../../src/api/route.ts';
import type { Problem, Resource } from '../../src/resources/declaration/resource.ts';
import { records } from '../../src/resources/index.ts';
import { keyOf } from '../../src/storage/records/queries.ts';
import { seed } from '../seed.ts';
import { any } from './any-request.ts';
import { breaksOf } from './broken.ts';
import { misfit, type Schema } from './document.ts';
import { allowed } from './refusals.ts';

const VALUES = 60;
const BREAKS = 12;
const idOfAll = 'a'.repeat(24);
const references = [
  ...['service', 'escalation_policy', 'integration', 'outbound_webhook', 'user', 'team'],
  ...['oncall_schedule', 'playbook', 'alert_routing_rule', 'incident'],
];
const existing = Object.fromEntries(references.map((kind) => [kind, [idOfAll]]));

const caller: Caller = {
  kind: 'key',
  organizationId: idOfAll,
  id: idOfAll,
  name: 'a test',
  role: 'owner',
  teamIds: null,
  defaultTeamId: null,
};

const isName = (text: string) => text.includes('@') || keyOf(text) !== null;

/** The mistakes of a body, in which every counter names something. */
async function problemsOf(resource: Resource, body: unknown): Promise<readonly Problem[]> {
  const find = async (_: Caller, { names }: { readonly names: readonly string[] }) =>
    new Map(names.filter(isName).map((name) => [name, idOfAll]));
  const { value } = await resolveNames(body, { caller, schema: resource.input }, find);
  return readBody(resource, value).problems;
}

for (const resource of records) {
  // What TypeBox calls a schema is one of the document, too.
  const schema = withIgnored(
    asSent(resource.input),
    ignoredOf(resource),
    warned(resource.output),
  ) as Schema;
  const values = fc.sample(any(schema, existing), { numRuns: VALUES, seed });

  test(`${resource.name}: a body that the document allows is refused only for what no schema can say`, async () => {
    for (const value of values) {
      assert.equal(misfit(schema, value), null, 'the generator makes what the schema allows');
      const open = (await problemsOf(resource, value)).filter(
        ({ path, message }) =>
          !allowed.some((row) => row.path.test(path) && row.message.test(message)),
      );
      assert.deepEqual(open, [], `seed ${seed}: ${JSON.stringify(value)}`);
    }
  });

  test(`${resource.name}: what breaks one thing that the document says is refused at its place`, async () => {
    for (const value of values.slice(0, VALUES / 2)) {
      const breaks = breaksOf(schema, value);
      const some = fc.shuffledSubarray([...breaks], {
        maxLength: Math.min(BREAKS, breaks.length),
      });
      for (const { path, what, value: broken } of fc.sample(some, { numRuns: 1, seed })[0] ?? []) {
        const paths = (await problemsOf(resource, broken)).map((one) => one.path);
        assert.ok(paths.includes(path), `seed ${seed}: ${what} at ${path}; refused: ${paths}`);
      }
    }
  });
}
