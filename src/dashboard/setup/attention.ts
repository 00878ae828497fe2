// What stands above the list of incidents, as GET /attention answers it.
import type { Role } from '../../resources/roles.ts';
import type { words } from './checklist-words.ts';

type Named = { readonly id: string; readonly name: string };
export type Integration = Named & { readonly slug: string };

export type Fact =
  | { readonly type: 'nobody_reached'; readonly incidents: number; readonly incident: number }
  | { readonly type: 'you_unreachable'; readonly reason: string }
  | { readonly type: 'your_shift'; readonly schedule: Named; readonly end: string }
  | { readonly type: 'mail'; readonly reason: string }
  | { readonly type: 'clock'; readonly reason: string; readonly since?: string }
  | { readonly type: 'quota'; readonly used: number; readonly limit: number }
  | {
      readonly type: 'person_unreachable';
      readonly user: Named;
      readonly reason: string;
      readonly schedule: Named;
    }
  | {
      readonly type: 'gap';
      readonly schedule: Named;
      readonly start: string;
      readonly end: string | null;
      readonly more: number;
    }
  | {
      readonly type: 'channel_failing';
      readonly channel: string;
      readonly reason: string;
      readonly since: string;
    }
  | {
      readonly type: 'connection_failing';
      readonly connection: Named;
      readonly reason: string;
      readonly since: string;
    }
  | { readonly type: 'webhook_failing'; readonly webhook: Named; readonly since: string }
  | {
      readonly type: 'integration_dropping';
      readonly integration: Integration;
      readonly reason: string;
    }
  | {
      readonly type: 'integration_cut';
      readonly integration: Integration;
      readonly since: string;
    }
  | {
      readonly type: 'integration_misread';
      readonly integration: Integration;
      readonly likely_type: { readonly slug: string; readonly name: string };
    }
  | {
      readonly type:
        | 'integration_omitted_alerts'
        | 'integration_two_senders'
        | 'integration_unmatched_end'
        | 'integration_sender_clock';
      readonly integration: Integration;
      readonly reason: string;
    }
  | {
      readonly type: 'integration_silent';
      readonly integration: Integration;
      readonly since: string;
    };

export type StepName = keyof typeof words.steps;
export type Step = { readonly name: StepName; readonly done: boolean; readonly needs: Role };
export type Setup = {
  readonly steps: readonly Step[];
  readonly integration?: Integration;
  readonly incident: number | null;
  /** Why no e-mail leaves the server; absent: it is set up. */
  readonly e_mail?: string;
};

export type Attention = {
  readonly data: readonly Fact[];
  /** They could not be computed for all schedules now. */
  readonly gaps_unknown: boolean;
  readonly setup: Setup;
};
