// The tables of docs/*.md that list names list all of them, and no other.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { attemptOutcomes } from '../../src/engine/ports/sending.ts';
import { occasions } from '../../src/incidents/incident.ts';
import { playbookAction, ruleAction } from '../../src/resources/action.ts';
import { conditionGroups } from '../../src/resources/condition.ts';
import { reachabilities } from '../../src/resources/contact-reachability.ts';
import { contactStates } from '../../src/resources/contact-states.ts';
import { checks } from '../../src/storage/ledger-audit/checks.ts';
import { anyDatabase } from '../database.ts';
import { startInProcess } from '../system/in-process.ts';
import { root } from './checkout.ts';

type Typed = { readonly anyOf: readonly { readonly properties: Properties }[] };
type Properties = {
  readonly type: { readonly const: string };
  readonly comparator?: { readonly enum: readonly string[] };
};

const textOf = (page: string) => readFileSync(join(root, 'docs', page), 'utf8');
const typesOf = ({ anyOf }: Typed) => anyOf.map(({ properties }) => properties.type.const);
// TypeBox's own type has no member that its documents have in every case.
const conditions = JSON.parse(JSON.stringify(conditionGroups('')));
const condition: Typed = conditions.items.properties.conditions.items;
const actions = (action: unknown): readonly string[] => typesOf(JSON.parse(JSON.stringify(action)));
const comparators = condition.anyOf.flatMap(({ properties }) => properties.comparator?.enum ?? []);
const { paths } = JSON.parse(textOf('openapi.json'));
const answerOf = (route: string) =>
  paths[route].post.responses[200].content['application/json'].schema.properties;
const ended = answerOf('/simulate').ended.properties.type;
const warned = answerOf('/preview').data.properties.warnings.items.properties.code;
const literals = (schema: { enum?: string[]; anyOf?: { const: string }[] }) =>
  schema.enum ?? schema.anyOf?.map((each) => each.const) ?? [];

const tables: readonly {
  readonly page: string;
  readonly heading: string;
  readonly names: readonly string[];
  /** How many columns of the table have names. */
  readonly columns?: number;
}[] = [
  { page: 'contacts.md', heading: 'How certain a contact is', names: reachabilities },
  { page: 'contacts.md', heading: 'When a contact is no longer used', names: contactStates },
  { page: 'incidents.md', heading: 'Notices', names: [...attemptOutcomes, 'null'] },
  { page: 'operating.md', heading: 'Checking the ledger', names: checks.map(({ name }) => name) },
  { page: 'playbooks.md', heading: 'Actions', names: actions(playbookAction) },
  { page: 'preview.md', heading: 'The response', names: literals(warned) },
  { page: 'routing-rules.md', heading: 'Actions', names: actions(ruleAction) },
  { page: 'routing-rules.md', heading: 'Conditions', names: typesOf(condition) },
  { page: 'routing-rules.md', heading: 'Comparators', names: comparators, columns: 2 },
  { page: 'simulate.md', heading: 'ended.type', names: literals(ended) },
  {
    page: 'webhooks.md',
    heading: 'Outbound webhooks',
    names: [...occasions, 'oncall_shift_start', 'oncall_shift_end'],
  },
];

for (const { page, heading, names, columns = 1 } of tables)
  test(`the table of docs/${page} after ${heading} is complete`, () => {
    assert.ok(names.length > 0);
    const listed = rowsAfter(page, heading).flatMap((row) =>
      Array.from(
        row
          .split(' | ')
          .slice(0, columns)
          .join(' ')
          .matchAll(/`([^`]+)`/g),
        ([, name = '']) => name,
      ),
    );
    assert.deepEqual([...new Set(listed)].sort(), [...new Set(names)].sort());
  });

test('the metrics of docs/operating.md are those of a server', async () => {
  await using server = await startInProcess(await anyDatabase(), {});
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const names = Array.from(metrics.matchAll(/^# HELP (pager_\w+) /gm), ([, name = '']) => name);
  const listed = Array.from(
    textOf('operating.md').matchAll(/^\| `(pager_\w+)` \|/gm),
    ([, name = '']) => name,
  );
  assert.deepEqual(listed.sort(), names.sort());
});

/** Those of the first table after a heading, or after a name in code, without its own head. */
function rowsAfter(page: string, heading: string): readonly string[] {
  const text = textOf(page);
  const at = new RegExp(`^#+ ${heading}$`, 'm').exec(text)?.index ?? text.indexOf(`\`${heading}\``);
  assert.ok(at >= 0, heading);
  const [table = ''] = /^\|.*\n\|[-|]+\|\n((?:\|.*\n)+)/m.exec(text.slice(at)) ?? [];
  return table.trim().split('\n').slice(2);
}
