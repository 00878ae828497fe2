// What the results of pages change of their incidents, in the transaction that records them.
import { configurationIn } from '../../incidents/configuration.ts';
import type { Incident } from '../../incidents/incident.ts';
import { type EndedAttempt, followPages } from '../../incidents/page-results.ts';
import { changesOf } from '../intake/batch-state.ts';
import { organizationsOf } from '../intake/decide.ts';
import type { ChangeWriter, ConfigurationReader } from '../ports/changes.ts';
import type { RoundReader } from '../ports/incidents.ts';
import type { ArrivedPage, ReceiptTx, Report } from '../ports/sending.ts';
import { noWake, type Wake, wakeOf } from '../wake.ts';

export type EndedPage = EndedAttempt & { readonly incidentId: string };

type Following = ConfigurationReader & ChangeWriter & RoundReader;
type Ended = {
  /** Locked. */
  readonly incidents: readonly Incident[];
  readonly attempts: readonly EndedPage[];
  readonly now: Temporal.Instant;
};

export async function followAttempts(
  tx: Following,
  { incidents, attempts, now }: Ended,
): Promise<Wake> {
  const triggered = incidents.filter(({ status }) => status === 'triggered');
  if (triggered.length === 0) return noWake;
  const configurations = await tx.configurations(organizationsOf(triggered), now);
  const rounds = await tx.roundPages(triggered, now);
  const outcomes = triggered.flatMap((incident) => {
    const configuration = configurationIn(configurations, incident.organization_id);
    const pages = rounds.get(incident.id) ?? [];
    const own = attempts.filter(({ incidentId }) => incidentId === incident.id);
    const outcome = followPages(incident, { pages, attempts: own, configuration, now });
    return outcome.incident === incident ? [] : [outcome];
  });
  if (outcomes.length === 0) return noWake;
  const changed = outcomes.map(({ incident }) => incident);
  const silent = outcomes.filter(({ entries }) => entries.length === 0);
  const counted = new Set(silent.map(({ incident }) => incident.id));
  const changes = { ...changesOf(outcomes, { opened: [], changed }), counted };
  await tx.save(changes, now);
  return wakeOf(changes, now);
}

/** Records what a vendor reports, and what it changes of the incident. */
export async function recordReport(
  tx: ReceiptTx,
  report: Report,
  now: Temporal.Instant,
): Promise<Wake> {
  const arrived: ArrivedPage[] = [];
  const isDue = await tx.recordReceipt(report, now, (page) => arrived.push(page));
  const attempts = arrived.map(({ incident, step }) => ({
    incidentId: incident.id,
    key: report.key,
    step,
    beganAt: now,
    isTaken: true,
  }));
  const incidents = arrived.map(({ incident }) => incident);
  const wake = await followAttempts(tx, { incidents, attempts, now });
  return { ...wake, notices: wake.notices || isDue };
}
