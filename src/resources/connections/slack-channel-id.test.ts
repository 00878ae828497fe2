import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSlackMemberId, slackChannelIdIn } from './slack-channel-id.ts';

for (const [text, id] of [
  ['C024BE91L', 'C024BE91L'],
  [' G024BE91L ', 'G024BE91L'],
  ['https://acme.slack.com/archives/C024BE91L', 'C024BE91L'],
  ['https://acme.enterprise.slack.com/archives/C024BE91L/p1795230741000100', 'C024BE91L'],
  ['https://slack.example/archives/C024BE91L', null],
  ['c024be91l', null],
  ['CHECKOUT', 'CHECKOUT'],
  ['alerts', null],
  ['', null],
] as const)
  test(`${text || 'nothing'} names ${id ?? 'no channel'}`, () => {
    assert.equal(slackChannelIdIn(text), id);
  });

for (const [id, isMember] of [
  ['U024BE7LH', true],
  ['W024BE7LH', true],
  ['C024BE91L', false],
  ['D024BE91L', false],
  ['u024be7lh', false],
  ['U0', false],
] as const)
  test(`${id} names ${isMember ? 'a person' : 'no person'}`, () => {
    assert.equal(isSlackMemberId(id), isMember);
  });
