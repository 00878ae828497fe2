import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trialApi } from '../../../test/trial-api.ts';
import { missingValues } from './grouping-warnings.ts';

test('a save warns of a path that none of the last alerts has', async () => {
  await using at = await trialApi();
  const saved = async (by: readonly string[]) => {
    const { status, body } = await at.send(`PATCH /integrations/${at.integration}`, {
      grouping: { by },
    });
    assert.equal(status, 200, JSON.stringify(body));
    return body.warnings ?? [];
  };
  assert.deepEqual(await saved(['details.labels.cluster']), [], 'nothing is known yet');
  for (const cluster of ['eu', 'us'])
    await at.trigger({ title: `Disk full in ${cluster}`, labels: { cluster } });
  assert.deepEqual(await saved(['details.labels.cluster', 'service']), []);
  assert.deepEqual(await saved(['title', 'details.labels.clutser']), [
    'None of the last 2 alerts has details.labels.clutser (grouping.by[1]). An alert without it opens its own incident.',
  ]);
  // Those that joined an incident count, too.
  await saved(['service']);
  await at.trigger({ title: 'Load high' });
  await at.trigger({ title: 'Memory low', host: 'db-1' });
  assert.deepEqual(await saved(['details.host']), []);
});

test('empty values count as none, and details that are not stored whole as some', () => {
  const by = ['title', 'details.zone', 'details.rack'];
  const [zone, rack, ...others] = missingValues(by, [{ zone: '' }, { zone: null, rack: [] }]);
  assert.match(zone ?? '', /^None of the last 2 alerts has details\.zone \(grouping\.by\[1\]\)/);
  assert.deepEqual([rack, others], [undefined, []]);
  assert.match(missingValues(by, [{}])[1] ?? '', /^The last alert does not have details\.rack/);
  assert.deepEqual(missingValues(by, [{ '…': 'not stored' }]), []);
  assert.deepEqual(missingValues(by, []), []);
});
