import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readTwiml } from '../../../test/vendors/twiml.ts';
import { emptyResponse, goodbyeResponse, messageResponse, readOut } from './twiml.ts';

const speech = { locale: 'en-US', hasKeys: true, text: 'Disk full.', goodbye: 'Goodbye.' };
const keysTo = 'https://pager.example.com/callbacks/phone/1/h?a=1&b=2';

test('it is read out twice, each time with a key from the first word on', () => {
  const gather = { verb: 'Gather', action: keysTo, numDigits: 1, finishOnKey: '' };
  assert.deepEqual(readTwiml(readOut(speech, keysTo, { first: 'Acknowledged.' })), [
    { ...gather, text: 'Acknowledged. Disk full.' },
    { ...gather, text: 'Disk full.' },
    { verb: 'Say', text: 'Goodbye.' },
    { verb: 'Hangup' },
  ]);
});

test('no key counts before what was done is told', () => {
  const opening = { first: 'Acknowledged. Next incident.', isHeardOut: true };
  const [first, second, third] = readTwiml(readOut(speech, keysTo, opening));
  assert.deepEqual(first, { verb: 'Say', text: opening.first });
  assert.ok(second?.verb === 'Gather' && second.text === 'Disk full.');
  assert.deepEqual(third, second);
});

test('without an address for keys nothing waits for any', () => {
  const verbs = readTwiml(readOut(speech, null)).map(({ verb }) => verb);
  assert.deepEqual(verbs, ['Say', 'Pause', 'Say', 'Say', 'Hangup']);
});

test('what is too long twice is read out once', () => {
  const text = '&'.repeat(500);
  const [first, second] = readTwiml(readOut({ ...speech, text }, keysTo));
  assert.equal(first?.verb, 'Gather');
  assert.equal(second?.verb, 'Say');
});

test('any text is text, never markup', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const [message] = readTwiml(messageResponse(`<${text}>&amp;`));
      assert.ok(message?.verb === 'Message' && message.text.startsWith('<'));
      assert.ok(message.text.endsWith('>&amp;'));
      assert.equal(readTwiml(goodbyeResponse('en-US', [`x${text}`])).length, 2);
    }),
  );
  assert.deepEqual(readTwiml(emptyResponse), []);
});
