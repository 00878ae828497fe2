import { createHash } from 'node:crypto';
import type { Desk } from '../ledger/ledger.ts';
import { isSealed } from '../secrets.ts';

type Addressed = { readonly channel: string; readonly address: string };

const webhookPrefix = 'webhook ';

/** The same text for the same receiver: a sealed address differs each time it is sealed. */
export function receiverOf(
  { secrets }: Pick<Desk, 'secrets'>,
  { channel, address }: Addressed,
): string {
  if (channel === 'webhook') return webhookReceiver(address);
  const opened = isSealed(address) ? secrets.open(address) : address;
  return `${channel} ${createHash('sha256').update(opened).digest('hex').slice(0, 32)}`;
}

export const webhookReceiver = (webhookId: string): string => `${webhookPrefix}${webhookId}`;

/** Of a receiver that is an outbound webhook. */
export const webhookIdOf = (receiver: string): string => receiver.slice(webhookPrefix.length);
