// WhatsApp by a number of Meta’s Cloud API: freely where the person has just written, else by a template.
import type { ReportedDelivery } from '../../engine/sending/channel.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { whatsAppMessageOf, whatsAppVariablesOf } from '../../notices/whatsapp.ts';
import { callingCodeOf } from '../../resources/calling-codes.ts';
import type { NumberSending, NumberVendor } from '../by-number.ts';
import { turnOf } from '../lanes.ts';
import type { SendParts } from '../vendor.ts';
import { silenceOf } from '../vendor-fault.ts';
import {
  HOLD_SECONDS,
  mayArriveAsTemplate,
  mayWriteFreely,
  numberLane,
  personLane,
  withoutTemplate,
} from '../whatsapp.ts';
import { type CloudClient, type CloudContent, clientOf } from './client.ts';
import { type CloudConnection, cloudConnectionOf } from './connection.ts';
import { messageContent, templateContent } from './content.ts';
import { type CloudFault, cloudFaultOf, OUTSIDE_WINDOW } from './failure.ts';

type Parts = Pick<SendParts, 'baseUrl' | 'http' | 'lanes' | 'hasOpenWindow'>;

export const whatsAppCloudNumbers = (parts: Parts): NumberVendor => ({
  serves: () => true,
  send: (sending) => sendBy(parts, sending),
  // Nothing tells what became of a message but its receipts.
  query: async ({ one }) => ({ type: 'known', receipt: one.receipt }),
});

async function sendBy(
  parts: Parts,
  { connection: open, notice, address, attempt, earlier, unreported }: NumberSending,
): Promise<ReportedDelivery | CloudFault> {
  const connection = cloudConnectionOf(open);
  const { id, name } = connection;
  const client = clientOf(parts, connection);
  const silence = attempt?.maybeTaken ? await silenceOfNumber(client) : null;
  if (silence !== null) return silence;
  const lanes = [numberLane, personLane(address)];
  const turn = await turnOf(parts.lanes, connection, { lanes, attempt });
  if ('unsent' in turn) return 'outcome' in turn.unsent ? turn.unsent : { ...turn.unsent, code: 0 };

  const send = async (content: CloudContent): Promise<ReportedDelivery | CloudFault> => {
    const sent = await client.send(address, content, attempt?.handle);
    if (!sent.ok) return cloudFaultOf(sent.failure);
    return {
      outcome: 'handed_over',
      connectionId: id,
      vendorId: sent.result,
      answer: `${sent.result} by ${name}`,
      receiptWithinSeconds: sendingLimits.whatsAppReceipt,
      ...(unreported !== undefined && { before: unreported }),
      counted: { connectionId: id, country: callingCodeOf(address) },
    };
  };
  if (await mayWriteFreely(parts, connection, { address, earlier })) {
    const sent = await send(messageContent(whatsAppMessageOf(notice)));
    if ('outcome' in sent || !mayArriveAsTemplate(sent, OUTSIDE_WINDOW))
      return held(parts, connection, address, sent);
  }
  const template = templateContent(
    whatsAppVariablesOf(notice, connection.settings.language),
    connection.settings,
  );
  if (template === null) return withoutTemplate(name, 'notice_template');
  return held(parts, connection, address, await send(template));
}

/** Has the others wait where it is too much at once. */
async function held<Sent extends ReportedDelivery | CloudFault>(
  { lanes }: Parts,
  connection: CloudConnection,
  address: string,
  sent: Sent,
): Promise<Sent> {
  if (!('full' in sent) || sent.full === undefined) return sent;
  const lane = sent.full === 'person' ? personLane(address) : numberLane;
  await lanes.hold(connection, lane.name, HOLD_SECONDS);
  return { ...sent, retryAfterSeconds: HOLD_SECONDS };
}

async function silenceOfNumber(client: CloudClient): Promise<CloudFault | null> {
  const probe = await client.number();
  return silenceOf(probe.ok ? null : cloudFaultOf(probe.failure));
}
