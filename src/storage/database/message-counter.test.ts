import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MessageCounter } from './message-counter.ts';

const message = (type: string, body: string | Buffer = ''): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
};

test('messages are counted by their type, wherever the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('Z', 'D', 'A', 'C'), fc.uint8Array({ maxLength: 40 }))),
      fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }),
      (messages, cuts) => {
        const stream = Buffer.concat(
          messages.map(([type, body]) => message(type, Buffer.from(body))),
        );
        const counter = new MessageCounter(['Z'], { isClient: false });
        let count = 0;
        for (let at = 0, turn = 0; at < stream.length; turn += 1) {
          const end = at + (cuts[turn % cuts.length] ?? 1);
          count += counter.count(stream.subarray(at, end));
          at = end;
        }
        assert.equal(count, messages.filter(([type]) => type === 'Z').length);
      },
    ),
  );
});

test('the first message of a client has no type', () => {
  const counter = new MessageCounter(['Q', 'S'], { isClient: true });
  assert.equal(counter.count(message('', 'user Q S')), 0);
  const statement = [message('P', 'select'), message('B', 'QS'), message('E'), message('S')];
  assert.equal(counter.count(Buffer.concat([...statement, message('Q', 'select 1')])), 2);
});
