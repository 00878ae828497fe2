// What one event of the log would do now: what is sent, and what the server answers.
import { counted } from '../../resources/plural.ts';
import type { Draft } from '../form/draft.ts';
import { type Event, isTest } from './integration.ts';
import { words as all } from './words.ts';

const words = all.events;

export type SimulatedRule = {
  readonly id: string;
  readonly name: string;
  readonly matched: boolean;
  readonly applied: boolean;
};

export type SimulatedNotice = {
  readonly after_seconds: number;
  readonly channel: string;
  readonly person?: string;
  readonly route?: string;
  readonly chat?: string;
  readonly webhook?: string;
  readonly deliverable: boolean;
  readonly reason: string | null;
};

/** As POST /simulate answers. */
export type Simulation = {
  readonly alerts: readonly {
    readonly dedup_key: string;
    readonly title: string;
    readonly outcome: string;
    readonly reason: string | null;
    readonly rules: readonly SimulatedRule[];
  }[];
  readonly notices: readonly SimulatedNotice[];
  readonly warnings: readonly string[];
  readonly ended: { readonly text: string };
};

/** Null: the event cannot be sent again, since it came by mail, from Pager, or is not stored whole. */
export function simulationBody(integrationId: string, event: Event): Draft | null {
  const { source, body, body_encoding, body_cut_from, content_type, query, headers } = event;
  const isReadable = source === 'http' && body_encoding === 'utf-8' && body_cut_from === undefined;
  if (!isReadable || isTest(event)) return null;
  return {
    integration_id: integrationId,
    event: {
      body,
      ...(content_type !== undefined && { content_type }),
      ...(query !== undefined && { query }),
      ...(headers !== undefined && { headers }),
    },
    at: event.received_at,
  };
}

export const recipientOf = ({ person, route, chat, webhook }: SimulatedNotice): string => {
  const who = person ?? chat ?? webhook ?? '';
  return route === undefined ? who : `${who} (${route})`;
};

/** Since the event. */
export function afterText(seconds: number): string {
  if (seconds === 0) return words.immediately;
  if (seconds < 60) return words.after(counted(seconds, 'second'));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  const parts = [
    ...(hours > 0 ? [counted(hours, 'hour')] : []),
    ...(minutes > 0 ? [counted(minutes, 'minute')] : []),
  ];
  return words.after(parts.join(' '));
}
