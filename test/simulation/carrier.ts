// A vendor that takes messages and reports later: or never, twice, too late, in the wrong order, or
// before it has answered that it took them.
import type { AttemptKey, Report } from '../../src/engine/ledger.ts';
import { isFinal, type Receipt } from '../../src/engine/receiving/receipt.ts';
import type { Attempt, NoticeChannel, ReportedDelivery } from '../../src/engine/sending/channel.ts';
import { nextRoute } from '../../src/engine/sending/routes.ts';
import type { Luck } from './luck.ts';

/** Two accounts, in their order. */
export const connections = ['first', 'second'].map((name) => ({ id: name.padEnd(24, '0') }));
const receiptWithinSeconds = 60;

type Taken = { readonly key: string; readonly report: Omit<Report, 'receipt'> };

export const handleOf = (attempt: AttemptKey): string => JSON.stringify(attempt);

const attemptOf = (handle: string): AttemptKey => JSON.parse(handle);

export class Carrier {
  /** Keys of the notices that reached somebody. */
  readonly rings = new Set<string>();
  /** Keys of those that it took. */
  readonly keys = new Set<string>();
  readonly #luck: Luck;
  #taken: Taken[] = [];

  constructor(luck: Luck) {
    this.#luck = luck;
  }

  /** The way to it for one server process. */
  channel(slowly: (delivery: ReportedDelivery) => Promise<ReportedDelivery>): NoticeChannel {
    return {
      send: (notice, _address, attempt) => slowly(this.#take(notice.key, attempt)),
    };
  }

  #take(key: string, attempt: Attempt | undefined): ReportedDelivery {
    if (attempt === undefined) throw new Error('the engine names its attempts');
    const route = nextRoute(connections, attempt.earlier);
    if ('end' in route) return { outcome: route.end, reason: route.reason };
    const { connectionId } = route;
    const reportedBy = { connectionId, vendorId: `SM${this.keys.size}` };
    this.keys.add(key);
    this.#taken.push({ key, report: { ...attemptOf(attempt.handle), reportedBy } });
    return { outcome: 'handed_over', ...reportedBy, receiptWithinSeconds };
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
