import type { State } from '../ui/state-shape.tsx';
import type { Upcoming } from './next.ts';
import type { words } from './words.ts';

/** What the list needs of an incident, as the API answers it. */
export type Incident = {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly status: 'triggered' | 'acknowledged' | 'resolved';
  readonly dedup_key: string;
  readonly priority?: string;
  readonly severity?: string;
  readonly service_id: string;
  /** How many of its alerts are active. */
  readonly alerts_firing: number;
  readonly suppressed_count: number;
  readonly repeat_count: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly acknowledged_at?: string;
  readonly resolved_at?: string;
  readonly muted_until?: string;
  readonly merged_into_id?: string;
  readonly test: boolean;
  /** Its name, if whoever asks may see it. */
  readonly service: string | undefined;
  /** What happens if nobody acts; absent: nothing. */
  readonly next: Upcoming | undefined;
  /** How far its paging has come; absent: nobody is to be paged for it now. */
  readonly paging: keyof typeof words.paging | undefined;
  /** Whom its pages reached; absent as that is. */
  readonly reached: readonly Reached[] | undefined;
  /** Who acknowledged it or, once it is resolved, who resolved it. */
  readonly handled_by: Handler | undefined;
};

type Reached = { readonly user_id?: string; readonly name: string };
export type Handler = {
  readonly type: string;
  readonly id?: string;
  readonly name: string;
  readonly at: string;
};

/** As it stands in the list, where it stays while somebody is reading. */
export type ListedIncident = Incident & { readonly group: Incident['status'] };

type Stated = Pick<Incident, 'status' | 'muted_until' | 'merged_into_id'> &
  Partial<Pick<Incident, 'paging'>>;

/** The shape that says most of it. */
export function stateOf({ status, muted_until, merged_into_id, paging }: Stated): State {
  if (merged_into_id !== undefined) return 'merged';
  if (paging === 'admins_only' || paging === 'nobody_reached') return 'unpaged';
  return status !== 'resolved' && muted_until !== undefined ? 'muted' : status;
}

/** Muted for good is a time in the year 9999. */
export const isMutedForGood = (until: string): boolean => until.startsWith('9999');
