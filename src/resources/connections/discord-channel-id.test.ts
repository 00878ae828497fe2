import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discordChannelIdIn } from './discord-channel-id.ts';

for (const [text, id] of [
  ['845027738276462632', '845027738276462632'],
  [' 1234567890123456789 ', '1234567890123456789'],
  ['https://discord.com/channels/290926798626357999/845027738276462632', '845027738276462632'],
  [
    'https://ptb.discord.com/channels/290926798626357999/845027738276462632/846531166412210206',
    '845027738276462632',
  ],
  ['https://discord.com/channels/@me/845027738276462632', null],
  ['https://discord.example/channels/290926798626357999/845027738276462632', null],
  ['alerts', null],
  ['12345', null],
  ['', null],
] as const)
  test(`${text || 'nothing'} names ${id ?? 'no channel'}`, () => {
    assert.equal(discordChannelIdIn(text), id);
  });
