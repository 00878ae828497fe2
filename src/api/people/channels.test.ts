import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PUBLIC_URL, peopleWorld } from '../../../test/people-world.ts';

test('each channel says whether it is set up, and why not', async () => {
  for (const hasMailServer of [true, false]) {
    await using world = await peopleWorld(PUBLIC_URL, hasMailServer);
    const { body } = await world.call('GET /channels');
    const of = (name: string) => body.data.find((one: { channel: string }) => one.channel === name);
    assert.deepEqual(of('phone'), {
      ...{ channel: 'phone', usable: false, reason: 'It is not set up on this server.' },
    });
    const email = of('email');
    assert.equal(email.usable, hasMailServer);
    if (hasMailServer) assert.equal(email.reason, undefined);
    else assert.match(email.reason, /PAGER_SMTP_URL/);
  }
});
