import type { Clock } from '../../engine/clock.ts';
import type { Ledger, ReplyKey, Wake } from '../../engine/ledger.ts';
import type { ConfirmedEmail, Reply } from '../../engine/receiving/inbound.ts';
import { type Configuration, configurationIn } from '../../incidents/configuration.ts';
import type { ReplyChannel } from '../../resources/channels.ts';
import type { SmsActions } from '../../resources/connections/sms-actions.ts';
import type { LedgerParts } from '../../storage/ledger/context.ts';
import type { Random } from '../random.ts';
import type { Limiter } from '../sign-in/limiter.ts';

export type ReceiveParts = LedgerParts & {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly publicUrl: string;
  readonly committed: (wake: Wake) => void;
  /** How often those who are unknown are answered: each of them, and all of an organisation. */
  readonly strangers: { readonly each: Limiter; readonly all: Limiter };
  /** Something that is not essential could not be done. */
  readonly failed: (error: unknown) => void;
  readonly random?: Random;
};

/** Where it came from. */
export type Source = {
  readonly organizationId: string;
  readonly channel: ReplyChannel;
  readonly connectionId: string;
  /** What an SMS may do; absent elsewhere. */
  readonly smsActions?: SmsActions;
  /** Absent: its people are known by the chat, which is theirs alone. */
  readonly account?: VendorAccount;
};

/** Somebody as their vendor names them; the address is their id there. */
export type VendorAccount = {
  readonly connectionId: string;
  readonly vendorName: string;
  readonly vendorUserName: string;
  /** What the vendor has confirmed and may be trusted with. */
  readonly confirmedEmail: () => Promise<ConfirmedEmail>;
};

export type Chat = Omit<Source, 'connectionId'> & {
  readonly address: string;
  /** As the vendor says it; anybody may be called anything. */
  readonly senderName?: string;
  /** The event by which something is requested there. */
  readonly reply?: ReplyKey;
};

export const replyOf = (text: string): NonNullable<Reply> => ({ text });

/**
 * Anybody can write to an account: its answers must not cost those who are paged by it theirs, and
 * one of them must not cost the others theirs.
 */
export function toStranger(
  { strangers: { each, all } }: Pick<ReceiveParts, 'strangers'>,
  { organizationId, channel, address }: Chat,
  reply: NonNullable<Reply>,
): Reply {
  if (each.take(`${organizationId} ${channel} ${address}`) > 0) return null;
  return all.take(organizationId) === 0 ? reply : null;
}

export const configurationOf = (
  { ledger, clock }: ReceiveParts,
  { organizationId }: Chat,
): Promise<Configuration> =>
  ledger.transact(async (tx) =>
    configurationIn(await tx.configurations([organizationId], clock.now()), organizationId),
  );
