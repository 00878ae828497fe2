// What the tests have read apart: a mail that says so is read without end, others as they are.
import { readMessage as read } from '../src/api/mail/message.ts';

export const withoutEnd = 'Read me without end';

export async function readMessage(raw: Uint8Array) {
  if (Buffer.from(raw).includes(withoutEnd)) for (;;);
  return await read(raw);
}
