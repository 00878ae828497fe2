import { createHash } from 'node:crypto';
import { isSealed, type Sealed, textOf } from '../../resources/declaration/field.ts';
import type { LedgerContext } from '../ledger/context.ts';
import { addressContext } from '../sealed/sealed-columns.ts';
import { opening, type Secrets } from '../sealed/secrets.ts';

type Addressed = {
  readonly channel: string;
  readonly address: string | Sealed;
};

const webhookPrefix = 'webhook ';

/** The same text for the same recipient: a sealed address differs each time it is sealed. */
export function recipientKeyOf(
  { secrets }: Pick<LedgerContext, 'secrets'>,
  { organization_id, channel, address }: Addressed & { readonly organization_id: string },
): string {
  return recipientKeyAt({
    channel,
    address: opening(secrets, addressContext(organization_id))(address),
  });
}

function recipientKeyAt({ channel, address }: Addressed & { readonly address: string }): string {
  return channel === 'webhook'
    ? webhookRecipientKey(address)
    : `${channel} ${fingerprintOf(address)}`;
}

const fingerprintOf = (address: string): string =>
  createHash('sha256').update(address).digest('hex').slice(0, 32);

/**
 * Replaces sealed addresses by fingerprints for a worker thread, which has no secrets: recipients
 * stay distinct, and nothing can be sent.
 */
export function withFingerprint(secrets: Pick<Secrets, 'open'>, organizationId: string) {
  const open = opening(secrets, addressContext(organizationId));
  const textIn = (address: string | Sealed): string => {
    try {
      return open(address);
    } catch {
      // Nobody can be notified at this address; the simulation continues all the same.
      return textOf(address);
    }
  };
  return (address: string | Sealed): Sealed => ({ sealed: fingerprintOf(textIn(address)) });
}

/**
 * The same as `recipientKeyOf`, of an address that has its fingerprint in the place of what is
 * sealed.
 */
export const recipientKeyByFingerprint = ({ channel, address }: Addressed): string =>
  isSealed(address) ? `${channel} ${address.sealed}` : recipientKeyAt({ channel, address });

export const webhookRecipientKey = (webhookId: string): string => `${webhookPrefix}${webhookId}`;

/** Of a recipient that is an outbound webhook. */
export const webhookIdOf = (recipientKey: string): string =>
  recipientKey.slice(webhookPrefix.length);
