import { createHash } from 'node:crypto';
import { isSealed } from '../secrets.ts';
import type { Desk } from './ledger.ts';

type Addressed = { readonly channel: string; readonly address: string };

/** The same text for the same receiver: a sealed address differs each time it is sealed. */
export function receiverOf({ secrets }: Desk, { channel, address }: Addressed): string {
  if (channel === 'webhook') return `webhook ${address}`;
  const opened = isSealed(address) ? secrets.open(address) : address;
  return `${channel} ${createHash('sha256').update(opened).digest('hex').slice(0, 32)}`;
}
