// What a refresh costs the API: Terraform reads record by record.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf } from '../../src/terraform/convert.ts';
import { errorsOf } from './core.ts';
import { startProvider } from './running-provider.ts';

type Provider = Awaited<ReturnType<typeof startProvider>>;
/** Its type, and the id that is known of it. */
type Known = readonly [typeName: string, id: string];

async function aThousand(at: Provider): Promise<readonly Known[]> {
  const [service = ''] = at.existing['service'] ?? [];
  const [policy = ''] = at.existing['escalation_policy'] ?? [];
  const layers = [{ users: [at.ada], rotation: { length: 1, unit: 'weeks' } }];
  const many = async (count: number, typeName: string, make: (n: number) => Promise<string>) => {
    const ids = await Promise.all(Array.from({ length: count }, (_, n) => make(n)));
    return ids.map((id): Known => [typeName, id]);
  };
  const all = [
    (await at.services(200)).map((id): Known => ['pager_service', id]),
    await many(150, 'pager_escalation_policy', (n) => at.policy({ name: `p${n}` })),
    await many(250, 'pager_integration', () => at.integration(service, policy)),
    await many(200, 'pager_oncall_schedule', (n) => at.make('on-calls', { name: `o${n}`, layers })),
    await many(100, 'pager_outbound_webhook', (n) =>
      at.make('outbound-webhooks', { name: `w${n}`, url: 'https://w.test' }),
    ),
    await many(100, 'pager_alert_routing_rule', () =>
      at.rule({ type: 'priority', priority: 'p1' }),
    ),
  ].flat();
  assert.equal(all.length, 1_000);
  return all;
}

test('a thousand records of all kinds are refreshed in at most twenty calls', async () => {
  await using at = await startProvider();
  // As Terraform asks: ten at once, kinds mixed, the next when one is done.
  const left = (await aThousand(at)).toSorted(([, one], [, other]) => (one < other ? -1 : 1));
  const passed = at.proxy.passed.length;
  const worker = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [typeName, id] = next;
      const read = await at.core.import(typeName, id);
      assert.deepEqual(errorsOf(read.diagnostics), []);
      assert.equal(fieldOf(read.state.value, 'id'), id);
    }
  };
  await Promise.all(Array.from({ length: 10 }, worker));
  const calls = at.proxy.passed.slice(passed);
  assert.ok(calls.length <= 20, calls.join('\n'));
});
