// Terraform's calls about functions, answered alike for all of them. They need no server.
import { type RequestOf, type ResponseOf, received, sending } from '../calls/dynamic-value.ts';
import { type functionMessage, markdown } from '../protocol/messages.ts';
import type { Draft } from '../protocol/protobuf.ts';
import type { Type } from '../protocol/value.ts';
import { providerFunctions } from './index.ts';
import type { ProviderFunction } from './provider-function.ts';

export const functionMessages = (): Record<string, Draft<typeof functionMessage>> =>
  Object.fromEntries(providerFunctions.map((one) => [one.name, messageOf(one)]));

const messageOf = ({ doc, parameters, returns }: ProviderFunction) => ({
  parameters: parameters.map(({ name, type, doc: description }) => ({
    name,
    type: typeBytes(type),
    description,
    description_kind: markdown,
  })),
  return: { type: typeBytes(returns) },
  summary: doc,
  description: doc,
  description_kind: markdown,
});

const typeBytes = (type: Type): Buffer => Buffer.from(JSON.stringify(type));

/** Terraform calls it once all arguments are known, and refuses null itself. */
export function callFunction({
  name,
  arguments: sent,
}: RequestOf<'CallFunction'>): ResponseOf<'CallFunction'> {
  const called = providerFunctions.find((one) => one.name === name);
  if (called === undefined) throw new Error(`there is no function ${name}`);
  const { parameters, returns } = called;
  const args = parameters.map(({ type }, index) => received(type, sent[index]));
  const result = called.call(args);
  if (result.ok) return { result: sending(returns, result.value) };
  const { argument, message } = result;
  const text = `${parameters[argument]?.name ?? ''} ${message}.`;
  return { error: { text, function_argument: argument } };
}
