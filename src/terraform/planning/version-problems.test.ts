import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escalationPolicy } from '../../resources/escalation-policy.ts';
import { integration } from '../../resources/integration.ts';
import { outboundWebhook } from '../../resources/outbound-webhook.ts';
import { Decimal, Unknown, type Value } from '../protocol/value.ts';
import { resourceAttributes } from '../schema.ts';
import { versionProblems } from './version-problems.ts';

const problemsIn = (version: Value) =>
  versionProblems(resourceAttributes(integration), { token_version: version });

const cases: readonly [version: Value, message: string | undefined][] = [
  [null, undefined],
  [new Unknown(), undefined],
  [0, undefined],
  [20_260_131, undefined],
  [new Decimal('20260131120000000000'), undefined],
  [-1, 'must be at least 0'],
  [new Decimal('-18446744073709551616'), 'must be at least 0'],
  [new Decimal('1.5'), 'must be a whole number'],
  [new Decimal('-0.5'), 'must be a whole number'],
];
for (const [version, message] of cases) {
  const text = version instanceof Decimal ? version.text : JSON.stringify(version);
  test(`the token_version ${text} ${message ?? 'is right'}`, () =>
    assert.deepEqual(
      problemsIn(version),
      message === undefined ? [] : [{ path: 'token_version', message }],
    ));
}

test('versions of write-only values follow the same rule, wherever they are', () => {
  const webhook = versionProblems(resourceAttributes(outboundWebhook), { url_wo_version: -1 });
  assert.deepEqual(webhook, [{ path: 'url_wo_version', message: 'must be at least 0' }]);
  const half = { webhook_url_wo_version: new Decimal('0.5') };
  const policy = { steps: [new Unknown(), { targets: [{}, half] }] };
  assert.deepEqual(versionProblems(resourceAttributes(escalationPolicy), policy), [
    { path: 'steps[1].targets[1].webhook_url_wo_version', message: 'must be a whole number' },
  ]);
});
