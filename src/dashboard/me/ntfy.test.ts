import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceChannel } from '../../resources/channels.ts';
import { readTopic } from '../../resources/push.ts';
import { isTopic, randomTopic, topicAddress } from './ntfy.ts';

test('a topic that is offered is one that the API takes, and never the same', () => {
  const [one, other] = [randomTopic(), randomTopic()];
  assert.equal(readTopic(topicAddress(` ${one} `)), one);
  assert.notEqual(one, other);
});

test('the code of a topic is typed, that of a browser is not', () => {
  assert.equal(isTopic({ channel: deviceChannel, address: 'ntfy · …1f3a5b7c' }), true);
  assert.equal(isTopic({ channel: deviceChannel, address: 'Chrome on Linux · …1f3a5b7c' }), false);
});
