// A vendor that takes messages and reports later: or never, twice, too late, in the wrong order, or
// before it has answered that it took them.
import assert from 'node:assert/strict';
import type { AttemptKey, Report } from '../../src/engine/ports/sending.ts';
import type { Attempt, NoticeChannel, ReportedDelivery } from '../../src/engine/sending/channel.ts';
import { isFinal, type Receipt } from '../../src/engine/sending/receipt.ts';
import { nextRoute } from '../../src/engine/sending/retry-routes.ts';
import type { Luck } from './luck.ts';
import { badNumber } from './setting.ts';

/** Two accounts, in their order. */
export const connections = ['first', 'second'].map((name) => ({ id: name.padEnd(24, '0') }));
const receiptWithinSeconds = 60;

type Taken = { readonly key: string; readonly report: Omit<Report, 'receipt'> };

export const handleOf = ({ organization_id, key, attempt }: AttemptKey): string =>
  JSON.stringify({ organization_id, key, attempt });

const attemptOf = (handle: string): AttemptKey => JSON.parse(handle);

export class Carrier {
  /** Keys of the notices that reached somebody. */
  readonly rings = new Set<string>();
  /** Keys of those that it took. */
  readonly keys = new Set<string>();
  readonly #luck: Luck;
  /** By key, where each notice was sent, in that order. */
  readonly #numbers = new Map<string, readonly string[]>();
  #sends = 0;
  #taken: Taken[] = [];

  constructor(luck: Luck) {
    this.#luck = luck;
  }

  /** The way to it for one server process. */
  channel(slowly: (delivery: ReportedDelivery) => Promise<ReportedDelivery>): NoticeChannel {
    return {
      send: (notice, address, attempt) => slowly(this.#take(notice.key, address, attempt)),
    };
  }

  #take(key: string, address: string, attempt: Attempt | undefined): ReportedDelivery {
    if (attempt === undefined) throw new Error('the engine names its attempts');
    this.#follow(key, address);
    if (address === badNumber) return { outcome: 'failed', reason: 'no such number' };
    const route = nextRoute(connections, attempt.earlier);
    if ('end' in route) return { outcome: route.end, reason: route.reason };
    const { connectionId } = route;
    const connectionName = connectionId.replaceAll('0', '');
    const reportedBy = { connectionId, connectionName, vendorId: `SM${this.#sends}` };
    this.#sends += 1;
    this.keys.add(key);
    this.#taken.push({ key, report: { ...attemptOf(attempt.handle), reportedBy } });
    return { outcome: 'handed_over', ...reportedBy, receiptWithinSeconds };
  }

  /** A page that has left a number is not sent there again. */
  #follow(key: string, address: string): void {
    const before = this.#numbers.get(key) ?? [];
    if (before.at(-1) === address) return;
    assert.ok(!before.includes(address), `${key} is at ${address} again, which it had left`);
    this.#numbers.set(key, [...before, address]);
  }

  /** One report about any of those that it took, also about what it has reported before. */
  report(): Report | null {
    if (this.#taken.length === 0) return null;
    const { key, report } = this.#luck.of(this.#taken);
    const receipt = this.#luck.of(receipts);
    if (receipt.state === 'delivered' || receipt.state === 'acted') this.rings.add(key);
    // Of most it reports once, and of some for ever.
    if (isFinal(receipt) && this.#luck.chance(0.7))
      this.#taken = this.#taken.filter((one) => one.report !== report);
    return { ...report, receipt };
  }
}

const receipts: readonly Receipt[] = [
  { state: 'sent', reason: '', blame: null },
  { state: 'answered', reason: '', blame: null },
  { state: 'delivered', reason: '', blame: null },
  { state: 'delivered', reason: '', blame: null },
  { state: 'acted', reason: '', blame: null },
  { state: 'unanswered', reason: 'busy', blame: null },
  { state: 'read_out', reason: 'without keys', blame: 'later' },
  { state: 'undelivered', reason: 'unknown number', blame: 'contact' },
  { state: 'undelivered', reason: 'not allowed there', blame: 'connection' },
  { state: 'undelivered', reason: 'filtered', blame: 'later' },
];
