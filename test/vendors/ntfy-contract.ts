// What Pager relies on of ntfy: https://docs.ntfy.sh/publish/#publish-as-json, and for the limits
// https://docs.ntfy.sh/publish/#limitations and https://docs.ntfy.sh/config/#message-limits.
import Type from 'typebox';
import { exactly, httpUrl, problemWith, text } from './contract.ts';

/** Longer messages become an attachment, which nobody hears. */
const messageBytesMax = 4_096;

/** https://docs.ntfy.sh/publish/#updating-deleting-notifications has the same of a sequence. */
const name = Type.String({ pattern: '^[-_A-Za-z0-9]{1,64}$' });

const message = exactly({
  topic: name,
  title: Type.String(),
  message: Type.String(),
  priority: Type.Integer({ minimum: 1, maximum: 5 }),
  sequence_id: Type.Optional(name),
  click: Type.Optional(httpUrl),
  // https://docs.ntfy.sh/publish/#action-buttons
  actions: Type.Array(
    exactly({
      action: Type.Literal('http'),
      label: text(),
      url: httpUrl,
      method: Type.Optional(Type.Literal('POST')),
      headers: Type.Optional(Type.Record(Type.String(), Type.String())),
      clear: Type.Optional(Type.Boolean()),
    }),
    { maxItems: 3 },
  ),
});

/** What is wrong with a message, if anything. */
export function ntfyProblem(body: Buffer): string | null {
  if (body.length > 2 * messageBytesMax) return 'the body is too large';
  const value: unknown = JSON.parse(body.toString());
  const problem = problemWith('a message', message, value);
  if (problem !== undefined) return problem;
  // As the contract has it.
  const {
    message: words,
    click,
    actions,
  } = value as {
    message: string;
    click?: string;
    actions: readonly { url: string }[];
  };
  const addresses = [...(click === undefined ? [] : [click]), ...actions.map(({ url }) => url)];
  const address = addresses.find((one) => !URL.canParse(one));
  if (address !== undefined) return `the address ${address}`;
  return Buffer.byteLength(words) > messageBytesMax ? 'the message is too long' : null;
}
