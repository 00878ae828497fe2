// What stands in the log of an integration for requests and mails that were refused.
import type { About, AlertEvent, Reading } from './alert.ts';
import { titleOf } from './text.ts';

/** Only Pager stores it: no type reads a header of this name from a request. */
export const refusalHeader = 'pager-refusal';

export type Refused = {
  /** Of HTTP, or of SMTP. */
  readonly status: number;
  readonly reason: string;
  /** How many it stands for. */
  readonly times: number;
  /** It looked like an event of a tool, which will not be sent again. */
  readonly isLost: boolean;
};

export const refusalText = (refused: Refused): string => JSON.stringify(refused);

const TOO_LARGE = 413;

/** The same for every event of an integration: one incident, until it is resolved. */
const tooLargeKey = 'pager: events are too large';

/** Null: the event was not refused. */
export function readRefused(
  { headers }: { readonly headers: Readonly<Record<string, string>> | null },
  about: Pick<About, 'integrationName'>,
): Reading | null {
  const text = headers?.[refusalHeader];
  if (text === undefined) return null;
  const { status, reason, times, isLost } = JSON.parse(text) as Refused;
  const count = times === 1 ? '' : `${times} times: `;
  const note = `refused with ${status}: ${count}${reason}`;
  const alerts = isLost && status === TOO_LARGE ? [lostAlert(about.integrationName, note)] : [];
  return { alerts, note, refused: true };
}

const lostAlert = (name: string, note: string): AlertEvent => ({
  action: 'trigger',
  dedup_key: tooLargeKey,
  title: titleOf(`${name}: an event was too large, and its alerts are lost`),
  details: `${note}\n\nNo incidents were opened for its alerts, and most tools do not send it again. Configure the tool to send less at once. With Alertmanager, set max_alerts, or group by more labels.`,
});
