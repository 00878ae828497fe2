// Which notices of the ledger in memory are sent next, as src/storage/outbox/due.ts selects them.
import type { ClaimRequest } from '../../engine/ports/sending.ts';
import { shareOut } from '../../engine/sending/fair-shares.ts';
import { attemptsElsewhere } from '../../engine/sending/retry-routes.ts';
import { isDue, isSooner } from '../../incidents/incident.ts';
import { sendingLimits } from '../../limits/sending.ts';
import type { NoticeRow, Outbox } from './outbox.ts';
import { isWithVendor, stateOf } from './round-pages.ts';

/** As many as are asked for of those that are free; no others are asked whether they are. */
export function dueIn(
  ledger: Pick<Outbox, 'outbox'>,
  request: ClaimRequest,
  isFree: (key: string) => boolean,
): readonly NoticeRow[] {
  const { now, busy, limit } = request;
  const candidates = nextOfTheirLines(ledger.outbox.withTimers())
    .filter(({ wakeAt }) => isDue(wakeAt, now))
    .filter((row) => !busy.includes(row.recipientKey))
    .filter((row) => request.inAnyOrder || !isBehind(ledger, row, now))
    .sort(byUrgency)
    .map((row) => {
      const { organization_id, channel } = row.intent;
      return { row, organization_id, channel, recipient_key: row.recipientKey };
    });
  return shareOut(candidates, request)
    .values()
    .map(({ row }) => row)
    .filter(({ intent }) => isFree(intent.key))
    .take(limit)
    .toArray();
}

/** It goes after the next try of earlier steps' pages, if that is soon. */
function isBehind(
  { outbox }: Pick<Outbox, 'outbox'>,
  later: NoticeRow,
  now: Temporal.Instant,
): boolean {
  const { intent, wakeAt, isTried, attempts, tried = [] } = later;
  if (!('step' in intent) || wakeAt === null || isWithVendor(later)) return false;
  const isToAdmins = intent.kind === 'nobody_paged';
  if (!isToAdmins && !(intent.kind === 'page' && intent.step > 0)) return false;
  const isFirst = !isTried || attempts === attemptsElsewhere(tried);
  const seconds = isFirst ? sendingLimits.earlierStepFirst : sendingLimits.earlierStepAgain;
  if (isDue(wakeAt.add({ seconds }), now)) return false;
  const round = outbox.inGroup(intent.incident_id).flatMap((row) => {
    const { intent: own } = row;
    const isOfRound = 'step' in own && own.kind === 'page' && own.cycle === intent.cycle;
    return isOfRound ? [{ ...row, step: own.step }] : [];
  });
  const lastTaken = Math.max(
    ...round.filter((row) => stateOf(row) === 'taken').map(({ step }) => step),
  );
  return round.some((row) => {
    const { step, lastEnded } = row;
    const isBefore = step > lastTaken && (isToAdmins || step < intent.step);
    const isAwaited = row.attempts > 0 || isDue(row.wakeAt, now);
    // One that goes on at another contact is tried at once.
    const isTriedHere = lastEnded && lastEnded.attempt !== attemptsElsewhere(row.tried ?? []);
    const isBehindIt = isTriedHere && !isSooner(lastEnded.at, wakeAt);
    return isBefore && stateOf(row) === 'open' && isAwaited && !isBehindIt;
  });
}

/** A first try waits for the first tries before it. */
function nextOfTheirLines(rows: readonly NoticeRow[]): NoticeRow[] {
  const isFirstTry = ({ isTried, state }: NoticeRow) => !isTried && state === 'pending';
  const firsts = new Map<string, number>();
  for (const row of rows)
    if (row.orderingKey !== null && isFirstTry(row))
      firsts.set(
        row.orderingKey,
        Math.min(row.sequence, firsts.get(row.orderingKey) ?? row.sequence),
      );
  return rows.filter(
    (row) =>
      row.orderingKey === null || !isFirstTry(row) || firsts.get(row.orderingKey) === row.sequence,
  );
}

/** Before others are called a second time, all are called once. */
const byUrgency = (a: NoticeRow, b: NoticeRow) =>
  a.rank - b.rank ||
  Number(a.isTried ?? false) - Number(b.isTried ?? false) ||
  b.createdAt.epochMilliseconds - a.createdAt.epochMilliseconds ||
  (a.intent.key < b.intent.key ? -1 : 1);
