// What is known of the pages of an incident's cycle, in the ledger in memory.
import { confirms } from '../../engine/sending/receipt.ts';
import type { Incident } from '../../incidents/incident.ts';
import { pageStateOf, type RoundPage } from '../../incidents/page-results.ts';
import type { NoticeRow, Outbox } from './outbox.ts';

/** By the incident's id; one without pages has no entry. */
export const roundsOf = (
  incidents: readonly Incident[],
  pagesOf: (incident: Incident) => readonly RoundPage[],
): ReadonlyMap<string, readonly RoundPage[]> =>
  new Map(
    incidents.map((one) => [one.id, pagesOf(one)] as const).filter(([, pages]) => pages.length > 0),
  );

/** The pages of the steps of the incident's current cycle. */
export function roundPagesIn(
  { outbox }: Pick<Outbox, 'outbox'>,
  { id, escalation: { cycle } }: Incident,
): readonly RoundPage[] {
  return outbox
    .inGroup(id)
    .flatMap((row) => {
      const { intent, lastEnded } = row;
      if (!('step' in intent) || intent.kind !== 'page' || intent.cycle !== cycle) return [];
      const { key, step, wave = 0 } = intent;
      const isTried = lastEnded !== undefined;
      const results = { state: stateOf(row), wasTaken: wasWithVendor(row), isTried };
      return [{ key, step, wave, ...results, isOnPhone: false }];
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

export const stateOf = (row: NoticeRow): RoundPage['state'] =>
  pageStateOf(row.state, isWithVendor(row));

/** A vendor took it by the last attempt that has ended. */
export const isWithVendor = ({ lastEnded, reported }: NoticeRow): boolean =>
  lastEnded !== undefined && (reported?.get(lastEnded.attempt)?.isHandedOver ?? false);

/** The same by the one before it, unless it has arrived since. */
function wasWithVendor({ ended = [], lastEnded, reported }: NoticeRow): boolean {
  const before = ended.filter((attempt) => lastEnded && attempt < lastEnded.attempt);
  const { isHandedOver = false, receipt = null } = reported?.get(Math.max(...before)) ?? {};
  return isHandedOver && !(receipt !== null && confirms(receipt));
}
