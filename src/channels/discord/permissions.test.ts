import assert from 'node:assert/strict';
import { test } from 'node:test';
import { may, mayPost, type Overwrite, permissionsIn } from './permissions.ts';

const guildId = '1';
const member = { userId: '9', roles: ['5', '6'] };
const all = may.viewChannel | may.sendMessages | may.embedLinks;
const allow = (id: string, bits = all): Overwrite => ({ id, allow: bits, deny: 0n });
const deny = (id: string, bits: bigint = may.viewChannel): Overwrite => ({
  id,
  allow: 0n,
  deny: bits,
});

for (const [what, base, overwrites, isAllowed] of [
  ['who may do so everywhere', all, [], true],
  ['who may only read', may.viewChannel, [], false],
  ['who may not embed links', all & ~may.embedLinks, [], false],
  ['an administrator, whatever the channel says', may.administrate, [deny('9')], true],
  ['whom the channel hides from everybody', all, [deny(guildId)], false],
  ['whose role the channel shows itself to', all, [deny(guildId), allow('5')], true],
  ['whose one role is denied and other allowed', all, [deny('5'), allow('6')], true],
  ['whose role is denied', all, [deny('5')], false],
  ['who is denied in person, and allowed by role', all, [allow('5'), deny('9')], false],
  ['who is allowed in person, and denied by role', 0n, [deny('5'), allow('9')], true],
  ['who has not the role that is allowed', 0n, [allow('7')], false],
] as const)
  test(`a channel can${isAllowed ? '' : 'not'} be posted to by a bot ${what}`, () => {
    assert.equal(mayPost(permissionsIn(base, member, { guildId, overwrites })), isAllowed);
  });
