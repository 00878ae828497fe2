import type { Rule } from '../rules/match-rule.ts';
import type { DecisionContext } from './configuration.ts';
import type { Escalation, Incident } from './incident.ts';
import type { KeyEnd } from './key-end.ts';
import type { RawKeyState } from './raw-keys.ts';

/** What is known of the alert's key at this integration. */
export type KeyState = {
  /** Open incidents that match, merged ones' targets included; oldest first. */
  readonly open: readonly Incident[];
  /** Those of them whose key the exchange made again; absent: none. docs/decisions/0080-exchanged-keys.md. */
  readonly exchanged?: ReadonlySet<string>;
  readonly repeatCount: number;
  /** When the last earlier incidents were opened, in epoch milliseconds, oldest first. */
  readonly repeatedAt: readonly number[];
  /** The last end that its source reported; absent: none is remembered. */
  readonly end?: KeyEnd | null;
  /** Priority and severity that a person set on the last one. */
  readonly carried: { readonly priority: string | null; readonly severity: string | null };
};

/** Of a key that never came. */
export const fresh: KeyState = {
  open: [],
  repeatCount: 0,
  repeatedAt: [],
  carried: { priority: null, severity: null },
};

/** The incident of a key that was opened last. */
export type LastOfKey = Pick<Incident, 'repeat_count' | 'priority' | 'severity' | 'created_at'> & {
  /** Undefined: it cannot be read. */
  readonly escalation:
    | Pick<Escalation, 'prioritySetByPerson' | 'severitySetByPerson' | 'repeatedAt'>
    | undefined;
};

/** Oldest first. */
export const byAge = (a: Incident, b: Incident): number => a.number - b.number;

/** What the next incident of the key takes over from the last one. `open`: those that the key leads to. */
export function keyStateAfter(
  { repeat_count, created_at, escalation, priority, severity }: LastOfKey,
  open: readonly Incident[],
): KeyState {
  const { prioritySetByPerson, severitySetByPerson, repeatedAt = [] } = escalation ?? {};
  return {
    open: open.toSorted(byAge),
    repeatCount: repeat_count + 1,
    repeatedAt: [...repeatedAt, created_at.epochMilliseconds],
    carried: {
      priority: prioritySetByPerson ? priority : null,
      severity: severitySetByPerson ? severity : null,
    },
  };
}

/** Keys of which nothing but an end is known have one too. */
export function withEnds(
  states: ReadonlyMap<string, KeyState>,
  ends: ReadonlyMap<string, KeyEnd>,
): ReadonlyMap<string, KeyState> {
  if (ends.size === 0) return states;
  const own = [...ends].map(([key, end]) => [key, { ...(states.get(key) ?? fresh), end }] as const);
  return new Map([...states, ...own]);
}

/** The alerts that an alert belongs to. */
export type AlertGroup = {
  /** Equal of alerts that join one incident. */
  readonly key: string;
  /** The longest time since the last alert joined; null: there is no limit. */
  readonly windowMinutes: number | null;
  /** The rule that groups; null: the setting of the integration does. */
  readonly rule: Rule | null;
  /** Whose alerts they are. */
  readonly across: 'integration' | 'service' | 'team';
};

/** The group of an alert, and the open incidents that it may join, the newest first. */
export type OpenGroup = AlertGroup & { readonly open: readonly Incident[] };

/** What an alert is decided with. */
export type AlertContext = DecisionContext & {
  readonly eventId: string;
  /** That received the event. */
  readonly integrationId: string;
  /** Its event holds no other alert: of a repeat, the event log alone tells. */
  readonly isAlone?: boolean;
  /** Somebody sent its event to try the integration. */
  readonly isTest?: boolean;
  readonly newId: () => string;
};

export type AlertInput = {
  readonly keyState: KeyState;
  /** Absent: nothing groups the alert. */
  readonly group?: OpenGroup | null;
  /** Of the raw key of an end. */
  readonly rawKeyState?: RawKeyState;
  readonly context: AlertContext;
};
