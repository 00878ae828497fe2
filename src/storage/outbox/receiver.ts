import { createHash } from 'node:crypto';
import type { Sealed } from '../../resources/declaration/sealed.ts';
import type { Desk } from '../ledger/ledger.ts';
import { addressOf } from '../sealed/places.ts';
import { opening } from '../secrets.ts';

type Addressed = {
  readonly organization_id: string;
  readonly channel: string;
  readonly address: string | Sealed;
};

const webhookPrefix = 'webhook ';

/** The same text for the same receiver: a sealed address differs each time it is sealed. */
export function receiverOf(
  { secrets }: Pick<Desk, 'secrets'>,
  { organization_id, channel, address }: Addressed,
): string {
  const opened = opening(secrets, addressOf(organization_id))(address);
  if (channel === 'webhook') return webhookReceiver(opened);
  return `${channel} ${createHash('sha256').update(opened).digest('hex').slice(0, 32)}`;
}

export const webhookReceiver = (webhookId: string): string => `${webhookPrefix}${webhookId}`;

/** Of a receiver that is an outbound webhook. */
export const webhookIdOf = (receiver: string): string => receiver.slice(webhookPrefix.length);
