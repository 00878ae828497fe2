// Storms of one team: its admins are notified at most once in half an hour, and of all of them.
import assert from 'node:assert/strict';
import { incidentsLimits } from '../../src/limits/incidents.ts';
import type { Integration } from '../monitoring.ts';
import { type Pager, story } from './story.ts';

const { stormTriggers, stormsNamed } = incidentsLimits;

const storming = async (pager: Pager, on: Integration, title: string): Promise<void> => {
  for (let times = 0; times < stormTriggers; times += 1) await pager.trigger(on, { title });
};

/** What admins heard. */
const storms = (pager: Pager) => pager.heard().filter((one) => one.includes(': storm '));

story('storms of a team are one notice in half an hour, the next names the rest', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  await storming(pager, on, 'disk full');
  await pager.work();
  assert.deepEqual(storms(pager), ['09:00 boss: storm disk full']);
  await storming(pager, on, 'cpu hot');
  await pager.at('09:10');
  await storming(pager, on, 'net slow');
  await storming(pager, on, 'disk full');
  await pager.at('09:29');
  assert.deepEqual(storms(pager), []);
  await pager.at('09:30');
  assert.deepEqual(storms(pager), ['09:30 boss: storm cpu hot, also INC-1, INC-3']);
  await pager.at('12:00');
  assert.deepEqual(storms(pager), []);
  const entries = await pager.sql<{ text: string }[]>`
    select text from timeline where type = 'storm' order by sequence`;
  assert.deepEqual(entries.map(({ text }) => text).sort(), [
    'Alert storm: notified boss Example',
    'Alert storm: notified boss Example, also about INC-1, INC-3',
  ]);
});

story('a team hears nothing of the storms of another', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  const core = pager.placeOf('core');
  const other = await pager.integration({ steps: [pager.step('lin')] }, core);
  await storming(pager, other, 'cpu hot');
  await storming(pager, on, 'disk full');
  await pager.work();
  // Of the other team nobody is an admin.
  assert.deepEqual(storms(pager), ['09:00 boss: storm disk full']);
  for (const number of [1, 2]) assert.ok((await pager.timeline(number)).includes('storm'));
});

story('what a notice of many storms does not name is counted', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  for (let nth = 1; nth <= stormsNamed + 3; nth += 1) await storming(pager, on, `disk ${nth}`);
  await pager.work();
  const names = Array.from({ length: stormsNamed }, (_, nth) => `INC-${nth + 2}`).join(', ');
  assert.deepEqual(storms(pager), [`09:00 boss: storm disk 1, also ${names} and 2 more`]);
});

story('two servers notify of the same storms once', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  pager.serve();
  for (const title of ['disk full', 'cpu hot']) await storming(pager, on, title);
  await Promise.all(pager.servers.map((server) => pager.workOn(server)));
  await pager.work();
  assert.deepEqual(storms(pager), ['09:00 boss: storm disk full, also INC-2']);
});
