import type { DecisionContext } from './configuration.ts';
import type { Incident } from './incident.ts';

/** What is known of the alert's key at this integration. */
export type KeyState = {
  /** Open incidents that match, merged ones' targets included; oldest first. */
  readonly open: readonly Incident[];
  readonly repeatCount: number;
  /** When the last earlier incidents were opened, in epoch milliseconds, oldest first. */
  readonly repeatedAt: readonly number[];
  /** Priority and severity that a person set on the last one. */
  readonly carried: { readonly priority: string | null; readonly severity: string | null };
};

/** What an alert is decided with. */
export type AlertContext = DecisionContext & {
  readonly eventId: string;
  /** Its event holds no other alert: of a repeat, the event log alone tells. */
  readonly isAlone?: boolean;
  readonly newId: () => string;
};

export type AlertInput = { readonly keyState: KeyState; readonly context: AlertContext };
