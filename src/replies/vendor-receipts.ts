// What vendors report of attempts: of the page, of the contact, and of the telephone that a call was to.
import type { AttemptKey } from '../engine/ports/sending.ts';
import { recordReport } from '../engine/sending/follow-attempts.ts';
import { isFinal } from '../engine/sending/receipt.ts';
import { noWake } from '../engine/wake.ts';
import { rings } from '../resources/channels.ts';
import { transact } from '../storage/database/database.ts';
import { noticeCreatedAt } from '../storage/incidents/paged.ts';
import { endBusy, keepBusy } from '../storage/outbox/busy-telephones.ts';
import { loseContact } from '../storage/people/lost-contacts.ts';
import type { InboundParts } from './chat.ts';
import type { InboundReceipt, SourceConnection } from './inbound.ts';

type Reported = {
  /** Null: the channel needs none. */
  readonly connection: Pick<SourceConnection, 'id' | 'name'> | null;
  readonly attempt: AttemptKey;
  readonly inbound: InboundReceipt;
};

export async function takeReceipt(
  parts: InboundParts,
  { channel, ...reported }: Reported & { readonly channel: string },
): Promise<void> {
  await lose(parts, { channel, ...reported });
  await record(parts, reported);
  if (!rings(channel) || !isFinal(reported.inbound.receipt)) return;
  const { sql, clock, committed } = parts;
  const isDue = await transact(sql, (tx) => endBusy({ sql: tx }, reported.attempt, clock.now()));
  if (isDue) committed({ ...noWake, notices: true });
}

/** As the refusal of a request to send does, unless the contact was proved anew since the notice. */
async function lose(
  parts: InboundParts,
  { channel, attempt, inbound: { lost, receipt } }: Reported & { readonly channel: string },
): Promise<void> {
  if (lost === undefined) return;
  const { address, state } = lost;
  const contact = { organizationId: attempt.organization_id, channel, address };
  const provedBy = await noticeCreatedAt(parts.sql, attempt);
  if (provedBy === null) return;
  const at = { ...contact, provedBy, now: parts.clock.now() };
  await loseContact(parts, at, { state, reason: receipt.reason });
}

async function record(
  { ledger, clock, committed }: InboundParts,
  { connection, attempt, inbound: { vendorId, receipt, call } }: Reported,
): Promise<void> {
  const by =
    connection === null
      ? { connectionId: '' }
      : { connectionId: connection.id, connectionName: connection.name };
  const reportedBy = { ...by, vendorId };
  const report = { ...attempt, reportedBy, receipt, ...(call && { call }) };
  committed(await ledger.transact((tx) => recordReport(tx, report, clock.now())));
}

/** The call goes on after the key. */
export const recordKey = (
  parts: InboundParts,
  { vendorId, ...reported }: Omit<Reported, 'inbound'> & Pick<InboundReceipt, 'vendorId'>,
): Promise<void> =>
  record(parts, { ...reported, inbound: { type: 'receipt', vendorId, receipt: pressed } });

const pressed = { state: 'acted', reason: '', blame: null } as const;

/** Nothing else calls the telephone of this call for as long. A key acts whether or not this is noted. */
export async function keepTelephone(
  { sql, clock, committed, failed }: InboundParts,
  call: AttemptKey,
  seconds: number,
): Promise<void> {
  const until = clock.now().add({ seconds });
  try {
    const isAwaited = await transact(sql, (tx) => keepBusy({ sql: tx }, call, until));
    if (isAwaited) committed({ ...noWake, notices: true });
  } catch (error) {
    failed(error);
  }
}
