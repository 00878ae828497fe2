import assert from 'node:assert/strict';
import { test } from 'node:test';
import { teamsChannelIdIn } from './msteams-channel-id.ts';

const id = '19:AbC_d-1@thread.tacv2';
for (const [text, read] of [
  [id, id],
  [` ${id}\n`, id],
  [`https://teams.microsoft.com/l/channel/${encodeURIComponent(id)}/Ops?groupId=1&tenantId=2`, id],
  [`https://teams.cloud.microsoft/l/channel/${encodeURIComponent(id)}/Ops`, id],
  [`https://teams.example.com/l/channel/${encodeURIComponent(id)}/Ops`, null],
  [`https://teams.microsoft.com/l/channel/%E0%A4%A/Ops`, null],
  [`${id};messageid=1`, null],
  ['19:../x@thread.tacv2', null],
  ['General', null],
  ['', null],
] as const)
  test(`the channel in "${text}" is ${read}`, () => assert.equal(teamsChannelIdIn(text), read));
