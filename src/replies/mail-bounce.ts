// A page by e-mail that a mail server took and could not deliver: the next contact is tried.
import { fit, lineOf } from '../notices/words/wording.ts';
import { mailChannel } from '../resources/channels.ts';
import { withMaskedAddresses } from '../resources/masked-address.ts';
import type { MailedPage } from '../storage/incidents/mailed-pages.ts';
import type { InboundParts } from './chat.ts';
import type { DeliveryReport } from './delivery-reports.ts';
import type { InboundReceipt } from './inbound.ts';
import { markOf } from './mail-handles.ts';
import { takeReceipt } from './vendor-receipts.ts';

/** Reported again, it changes nothing. */
export async function handleBounce(
  parts: InboundParts,
  page: MailedPage,
  reports: readonly DeliveryReport[],
): Promise<void> {
  const failed = reports.find(({ action }) => action === 'failed');
  if (failed === undefined || page.isReported) return;
  const { attempt, address } = page;
  const isLost = isOfAddress(failed.status) && isSame(failed.recipient, address);
  const inbound: InboundReceipt = {
    type: 'receipt',
    vendorId: markOf(attempt),
    receipt: { state: 'undelivered', reason: reasonOf(failed, address), blame: 'contact' },
    ...(isLost && { lost: { address, state: 'invalid' } }),
  };
  await takeReceipt(parts, { channel: mailChannel, connection: null, attempt, inbound });
}

/**
 * Whether it is the address that is wrong: it or its host does not exist, or its mailbox is closed. Other
 * reports are about the sender, the message, a rule or a full mailbox, and say nothing of later pages.
 */
const isOfAddress = (status: string): boolean => /^5\.(?:1\.(?:0|1|2|3|6|10)|2\.1)$/.test(status);

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const DIAGNOSTIC_LENGTH = 200;

/** As the end of a sentence. */
function reasonOf({ status, diagnostic }: DeliveryReport, address: string): string {
  const words = withMaskedAddresses(lineOf(diagnostic), [address]).replace(
    /<[^<>\s]*@[^<>\s]*>/g,
    '<…>',
  );
  const shown = fit(words, DIAGNOSTIC_LENGTH);
  return `the mail server reported ${status}${shown && ` (${shown})`}`;
}
