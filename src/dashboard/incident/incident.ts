import { capitalised } from '../../resources/sentence.ts';
import type { Verdict } from '../../resources/verdicts.ts';
import type { Incident as Listed } from '../incidents/incident.ts';
import type { Upcoming } from '../incidents/next.ts';

/** One incident with all about it, as the API answers it. */
export type Incident = Omit<Listed, 'service' | 'next' | 'paging' | 'reached' | 'handled_by'> & {
  readonly severity?: string;
  readonly alerts_total: number;
  readonly team_id: string;
  /** Absent: opened by a person. */
  readonly integration_id?: string;
  readonly source_integration_id?: string;
  /** Those that received its alerts; absent: one did, or none. */
  readonly alert_integration_ids?: readonly string[];
  readonly escalation_policy_id: string;
  readonly dedup_key: string;
  readonly details?: unknown;
  readonly links: readonly { readonly href: string; readonly text?: string }[];
  readonly responder_ids: readonly string[];
  readonly acknowledged_at?: string;
  readonly resolved_at?: string;
  readonly verdict?: Verdict;
  readonly verdict_by?: { readonly name: string };
  readonly verdict_at?: string;
  readonly names: Readonly<Record<string, string>>;
};

export type Forecast = {
  readonly data: readonly Upcoming[];
  readonly end: 'resolved' | 'nothing' | 'more';
};

export type Why = {
  readonly user: { readonly id: string; readonly name: string };
  readonly paged: boolean;
  readonly answer: string;
  readonly chain: readonly {
    readonly at: string;
    readonly text: string;
    readonly source: { readonly type: string; readonly id: string };
  }[];
};

/** What an action would do now. */
export type Possible = {
  readonly action: string;
  readonly result: 'done' | 'unchanged' | 'refused';
  readonly reason?: string;
  readonly text: string;
  readonly notices: Upcoming['notices'];
  readonly all_clear: boolean;
};

/** Those that page somebody are done by a second press, which says so. */
export type PagingAction = 'escalate' | 'unacknowledge' | 'reopen' | 'unmute';

/** Those that ask for more. */
export const dialogActions = [
  ...(['mute', 'reassign', 'add-responder', 'merge'] as const),
  ...(['priority', 'severity', 'run-playbook', 'call-webhook'] as const),
];
export type DialogAction = (typeof dialogActions)[number];

/** These are refused where muting is: of a resolved incident. */
export const needsOpen: readonly string[] = ['mute', 'reassign', 'add-responder', 'merge'];

/** An answer that was overtaken by another does not bring back what was. */
export const newer = <Version extends { readonly updated_at: string }>(
  shown: Version | undefined,
  latest: Version,
): Version => (shown !== undefined && latest.updated_at < shown.updated_at ? shown : latest);

/** What is true of one for which no timer runs. */
export function restOf({ status, merged_into_id, integration_id }: Incident) {
  if (merged_into_id !== undefined) return 'overMerged';
  if (status !== 'resolved') return 'nothingAhead';
  return integration_id === undefined ? 'over' : 'overWithKey';
}

type Parts = { readonly fact: string; readonly reason: string };

/** An answer in two parts. */
export function factOf(answer: string): Parts {
  const [fact = answer, ...rest] = answer.split(': ');
  const reason = rest.join(': ');
  return { fact, reason: capitalised(reason) };
}

/** The answer about oneself speaks to oneself. */
export const toYou = (answer: string, name: string): Parts =>
  factOf(answer.startsWith(`${name} was `) ? `You were ${answer.slice(name.length + 5)}` : answer);
