import type { Clock } from '../engine/clock.ts';
import type { Ledger } from '../engine/ledger.ts';
import type { ReplyKey } from '../engine/ports/actions.ts';
import type { Random } from '../engine/random.ts';
import type { Wake } from '../engine/wake.ts';
import { type Configuration, configurationIn } from '../incidents/configuration.ts';
import type { ReplyChannel } from '../resources/channels.ts';
import type { SmsActions } from '../resources/connections/sms-actions.ts';
import type { Language } from '../resources/language.ts';
import type { LedgerParts } from '../storage/ledger/context.ts';
import type { Reply, Source, VendorAccount } from './inbound.ts';

/** Seconds to wait; 0: it may go on, and is counted. */
type Allowance = { readonly take: (key: string) => number };

export type InboundParts = LedgerParts & {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly publicUrl: string;
  readonly committed: (wake: Wake) => void;
  /** How often those who are unknown are answered: each of them, and all of an organisation. */
  readonly strangers: {
    readonly each: Allowance;
    readonly all: Allowance;
    /** Each of them who only talks in a thread. */
    readonly talk: Allowance;
  };
  /** How many notes each person adds from chats. */
  readonly chatNotes: Allowance;
  /** Something that is not essential could not be done. */
  readonly failed: (error: unknown) => void;
  readonly random?: Random;
};

/** Somebody at a channel, and what they asked for there. */
export type Chat = Pick<Source, 'organizationId'> & {
  readonly channel: ReplyChannel;
  readonly address: string;
  /** In which they are answered; absent: English. */
  readonly language?: Language;
  /** Absent: they are known by their contact. */
  readonly account?: VendorAccount;
  /** What an SMS may do; absent elsewhere. */
  readonly smsActions?: SmsActions;
  /** As the vendor says it; anybody may be called anything. */
  readonly senderName?: string;
  /** The event by which something is requested there. */
  readonly reply?: ReplyKey;
  /** When they sent it, if the vendor says so: it may arrive after what they sent later. */
  readonly writtenAt?: Temporal.Instant;
};

export const replyOf = (text: string): NonNullable<Reply> => ({ text });

/**
 * Anybody can write to an account: its answers must not cost those who are paged by it theirs, and
 * one of them must not cost the others theirs.
 */
export function toStranger(
  { strangers: { each, all } }: Pick<InboundParts, 'strangers'>,
  { organizationId, channel, address }: Chat,
  reply: NonNullable<Reply>,
): Reply {
  if (each.take(`${organizationId} ${channel} ${address}`) > 0) return null;
  return all.take(organizationId) === 0 ? reply : null;
}

export const configurationOf = (
  { ledger, clock }: InboundParts,
  { organizationId }: Chat,
): Promise<Configuration> =>
  ledger.transact(async (tx) =>
    configurationIn(await tx.configurations([organizationId], clock.now()), organizationId),
  );
