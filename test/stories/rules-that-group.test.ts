// Alerts of several integrations that a rule has join one incident, on several servers at once.
import assert from 'node:assert/strict';
import { type Pager, story } from './story.ts';

const firing = (title: string, cluster = 'eu') => ({ title, details: { cluster } });

async function clusterRule(pager: Pager, across: 'service' | 'team' = 'team') {
  await pager.rule({
    name: 'One cluster',
    actions: [{ type: 'groupIncident', by: ['details.details.cluster'], across }],
  });
}

const integration = (pager: Pager) =>
  pager.integration({ slug: 'webhook', steps: [pager.step('ada', 10)] });

story(
  'a rule has alerts of two integrations join one incident, which pages once',
  async (pager) => {
    await clusterRule(pager);
    const [shop, web] = [await integration(pager), await integration(pager)];
    await pager.trigger(shop, firing('Checkout fails'));
    const joined = await pager.trigger(web, firing('Pages are slow'));
    assert.ok(joined.type === 'accepted');
    assert.deepEqual(joined.alerts[0]?.outcome, 'grouped');
    await pager.trigger(web, firing('Disk full', 'us'));
    await pager.at('09:01');
    assert.deepEqual(pager.heard(), [
      '09:00 ada: page Checkout fails and 1 more',
      '09:00 ada: page Disk full',
    ]);
    await pager.trigger(web, { ...firing('Pages are slow'), status: 'resolved' });
    assert.deepEqual(await pager.incidents(), ['1 triggered', '2 triggered']);
    await pager.trigger(shop, { ...firing('Checkout fails'), status: 'resolved' });
    assert.deepEqual(await pager.incidents(), ['1 resolved', '2 triggered']);
  },
);

const places = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
] as const;

story('two servers that decide at once for two integrations open one incident', async (pager) => {
  const [shop, web] = [await integration(pager), await integration(pager)];
  const other = pager.serve();
  // Both servers hold the configuration as it was before the rule.
  await Promise.all([
    pager.trigger(shop, firing('a', 'us')),
    pager.trigger(web, firing('b'), other),
  ]);
  await clusterRule(pager);
  for (const cluster of places)
    await Promise.all([
      pager.trigger(shop, firing(`Checkout fails in ${cluster}`, cluster)),
      pager.trigger(web, firing(`Pages are slow in ${cluster}`, cluster), other),
    ]);
  assert.equal((await pager.incidents()).length, 2 + places.length);
});

story('those who hold incidents of a group wait for nobody who waits for them', async (pager) => {
  await clusterRule(pager);
  const [shop, web] = [await integration(pager), await integration(pager)];
  const other = pager.serve();
  // Two incidents of the group are open, since the first was acknowledged long ago.
  await pager.trigger(shop, firing('Checkout fails'));
  await pager.does(1, { type: 'acknowledge' });
  await pager.at('09:45');
  await pager.trigger(web, firing('Pages are slow'), other);
  for (const name of places)
    await Promise.all([
      pager.trigger(shop, firing('Checkout fails')),
      pager.trigger(shop, firing(`${name} of the shop`)),
      pager.trigger(web, firing('Pages are slow'), other),
      pager.trigger(web, firing(`${name} of the web`), other),
    ]);
  assert.deepEqual(await pager.incidents(), ['1 acknowledged', '2 triggered']);
  const [row] = await pager.sql`
    select alerts_firing as alerts from incidents where number = 2`;
  assert.deepEqual({ ...row }, { alerts: 1 + 2 * places.length });
  const [counted] = await pager.sql`
    select deadlocks from pg_stat_database where datname = current_database()`;
  assert.deepEqual({ ...counted }, { deadlocks: 0 });
});
