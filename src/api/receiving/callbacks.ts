// What vendors report of pages, and what people answer to them by a key or a text.
import type { CallbackReply } from '../../engine/receiving/callback.ts';
import { answersBy } from '../../resources/channels.ts';
import { smsActionsIn } from '../../resources/connections/sms-actions.ts';
import type { Received } from '../callbacks/routes.ts';
import type { Digest } from '../proof.ts';
import { type ReadOut, readAttemptHandle, readReadOutHandle } from './attempt-handles.ts';
import type { ReceiveParts } from './chat.ts';
import { pressKey } from './pressed-key.ts';
import { receive } from './receive.ts';
import { takeReceipt } from './reported.ts';

/** Does what a callback says. Null: nobody is to be answered. */
export async function receiveCallback(
  parts: ReceiveParts,
  { connection, channel, handle, inbound }: Received,
): Promise<CallbackReply | null> {
  const readOut = handle === null ? null : readHandle(handle, parts.secrets.digest);
  const own = readOut?.call.organization_id === connection.organization_id ? readOut : null;
  switch (inbound.type) {
    case 'receipt':
      if (own !== null)
        await takeReceipt(parts, { connection, channel, attempt: own.call, inbound });
      return null;
    case 'key':
      return own === null || !answersBy('keys', channel)
        ? { text: 'This call is not known.' }
        : pressKey(parts, { connection, channel, readOut: own, inbound });
    case 'ignored':
      return null;
    default: {
      if (!answersBy('texts', channel)) return null;
      const { organization_id: organizationId, id: connectionId } = connection;
      const smsActions = smsActionsIn(connection.settings);
      const source = { organizationId, connectionId, channel, smsActions } as const;
      const reply = await receive(parts, source, inbound);
      return reply && { text: reply.text };
    }
  }
}

const readHandle = (text: string, digest: Digest): ReadOut | null =>
  readAttemptHandle(text, digest) ?? readReadOutHandle(text, digest);
