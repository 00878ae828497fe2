// Values as the calls of the protocol carry them.
import type { dynamicValue, providerService } from '../protocol/messages.ts';
import type { Draft, Message } from '../protocol/protobuf.ts';
import { decodeJson, decodeValue, encodeValue, type Type, type Value } from '../protocol/value.ts';

type Service = typeof providerService;
export type RequestOf<Name extends keyof Service> = Message<Service[Name]['request']>;
export type ResponseOf<Name extends keyof Service> = Draft<Service[Name]['response']>;

export function received(type: Type, sent: Message<typeof dynamicValue> | undefined): Value {
  if (sent === undefined) return null;
  return sent.json.length > 0
    ? decodeJson(type, Buffer.from(sent.json).toString())
    : decodeValue(type, sent.msgpack);
}

export const sending = (type: Type, value: Value): Draft<typeof dynamicValue> => ({
  msgpack: encodeValue(type, value),
});
