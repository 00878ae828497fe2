// Stored rows as the records of a configuration.
import type {
  Integration,
  Person,
  Playbook,
  Policy,
  Rota,
  Service,
  Webhook,
} from '../../incidents/configuration.ts';
import { scheduleAsOf } from '../../oncall/revisions/history.ts';
import { signInChannel } from '../../resources/channels.ts';
import { channelsOf } from '../../resources/connections/vendors.ts';
import type { Parse } from '../../resources/declaration/stored-document.ts';
import { nameOrEmail } from '../../resources/person-name.ts';
import type { OrganizationNotifications } from '../../resources/shift-notifications.ts';
import { compiledOf, type Rule } from '../../rules/match-rule.ts';
import { mappingOf } from '../integrations/mappings.ts';
import { parseAutoResolve, parseGrouping, parseSteps } from '../ledger/stored-incident.ts';
import { historyOf } from '../oncall/schedules.ts';
import {
  parseOfOrganization,
  parseOfSchedule,
  parsePersonal,
} from '../organizations/stored-settings.ts';
import { lossesOf } from '../people/contacts.ts';
import type { ConfigurationRow, Kind } from './page.ts';
import { parseOccasions, parsePlaybookActions, parseRuleActions } from './stored-actions.ts';

/** A rule or a playbook with its place among those of its team. */
export type Positioned<T> = {
  readonly record: T;
  readonly team_id: string;
  readonly position: number | null;
  readonly counter: number;
};

export type Decoded = {
  readonly organization: {
    readonly notifications: OrganizationNotifications;
    /** Those that its connections serve. */
    readonly channels: readonly string[];
  };
  readonly service: Service;
  readonly policy: Policy;
  readonly integration: Integration;
  readonly webhook: Webhook;
  readonly rule: Positioned<Rule>;
  readonly playbook: Positioned<Playbook>;
  readonly schedule: Rota;
  readonly person: Person;
  /** Ids of its members. */
  readonly team: readonly string[];
};

/** Hears of a part that cannot be read; the record goes on without it. */
type OnUnreadablePart = (part: string, error: unknown) => void;
type Decode<K extends Kind> = (
  row: ConfigurationRow<K>,
  onUnreadable: OnUnreadablePart,
) => Decoded[K];

export const decoders: { readonly [K in Kind]: Decode<K> } = {
  organization: ({ notifications, connections }, onUnreadable) => ({
    notifications: settingsOf(parseOfOrganization, notifications, onUnreadable),
    channels: (connections ?? []).flatMap(({ vendor, settings }) => channelsOf(vendor, settings)),
  }),
  service: (row) => row,
  // Without its steps, incidents open all the same, and the team's admins are paged.
  policy: ({ delay_minutes, steps, ...row }, onUnreadable) => ({
    ...row,
    delayMinutes: delay_minutes ?? 0,
    steps: partOf('steps', { read: () => parseSteps(steps), fallback: [], onUnreadable }),
  }),
  integration: integrationOf,
  webhook: (row) => row,
  rule: ruleOf,
  playbook: playbookOf,
  schedule: ({ id, name, archived, notifications, ...history }, onUnreadable) => ({
    id,
    name,
    archived,
    notifications: settingsOf(parseOfSchedule, notifications, onUnreadable),
    schedule: scheduleAsOf(historyOf(history)),
  }),
  person: personOf,
  team: ({ member_ids }) => member_ids ?? [],
};

/** A person whose shift notification settings cannot be read is still paged. */
function settingsOf<T extends object>(
  parse: Parse<T>,
  stored: unknown,
  onUnreadable: OnUnreadablePart,
): T | Record<string, never> {
  const read = () => (stored === null ? {} : parse(stored));
  return partOf('notifications', { read, fallback: {}, onUnreadable });
}

type Part<T, Fallback> = {
  readonly read: () => T;
  readonly fallback: Fallback;
  readonly onUnreadable: OnUnreadablePart;
};

/** The part, or the fallback when it cannot be read, which is reported. */
function partOf<T, Fallback>(
  part: string,
  { read, fallback, onUnreadable }: Part<T, Fallback>,
): T | Fallback {
  try {
    return read();
  } catch (error) {
    onUnreadable(part, error);
    return fallback;
  }
}

const groupsNothing = { by: [], window: null };

function integrationOf(
  row: ConfigurationRow<'integration'>,
  onUnreadable: OnUnreadablePart,
): Integration {
  return {
    id: row.id,
    team_id: row.team_id,
    slug: row.slug,
    service_id: row.service_id,
    escalation_policy_id: row.escalation_policy_id,
    name: row.name,
    enabled: row.enabled,
    archived: row.archived,
    disableSuppression: row.disable_incident_suppression,
    repeats: row.repeat_escalation,
    ackTimeoutMinutes: row.ack_timeout_minutes,
    autoResolve: partOf('auto_resolve', {
      read: () => (row.auto_resolve === null ? null : parseAutoResolve(row.auto_resolve)),
      fallback: null,
      onUnreadable,
    }),
    resolveWhenQuiet: partOf('resolve_when_quiet', {
      read: () =>
        row.resolve_when_quiet == null ? null : parseAutoResolve(row.resolve_when_quiet),
      fallback: null,
      onUnreadable,
    }),
    // What cannot be read groups nothing: each alert pages.
    grouping: partOf('grouping', {
      read: () => (row.grouping == null ? groupsNothing : parseGrouping(row.grouping)),
      fallback: groupsNothing,
      onUnreadable,
    }),
    mapping: mappingOf(row),
    ...(row.former_keys && { formerKeys: true as const }),
    ...(row.keys_exchanged_at !== null && {
      keysExchangedAt: Temporal.Instant.from(row.keys_exchanged_at),
    }),
  };
}

function ruleOf({
  team_id,
  position,
  counter,
  ...row
}: ConfigurationRow<'rule'>): Positioned<Rule> {
  const { integration_ids, service_ids, actions, ...own } = row;
  const record = {
    ...own,
    actions: parseRuleActions(actions),
    ...(integration_ids && { integration_ids }),
    ...(service_ids && { service_ids }),
  };
  // At once, so that one that cannot be compiled is told apart from the others.
  compiledOf(record);
  return { record, team_id, position, counter };
}

function playbookOf({ counter, ...row }: ConfigurationRow<'playbook'>): Positioned<Playbook> {
  const { run_automatically, condition_groups, actions, ...own } = row;
  const record = {
    ...own,
    actions: parsePlaybookActions(actions),
    ...(run_automatically !== null && { run_automatically: parseOccasions(run_automatically) }),
    ...(condition_groups && { condition_groups }),
  };
  return { record, team_id: row.team_id, position: null, counter };
}

function personOf(
  { contacts, lost, is_sign_in_lost, notifications, ...row }: ConfigurationRow<'person'>,
  onUnreadable: OnUnreadablePart,
): Person {
  const addresses: Record<string, string[]> = {};
  for (const { channel, address } of contacts ?? []) {
    const channelAddresses = addresses[channel] ?? [];
    if (!channelAddresses.includes(address)) addresses[channel] = [...channelAddresses, address];
  }
  // The address one signs in with counts as verified, unless e-mails came back and there is another.
  const known = addresses[signInChannel] ?? [];
  const isLost = is_sign_in_lost && known.length > 0;
  if (!known.includes(row.email) && !isLost) addresses[signInChannel] = [row.email, ...known];
  const name = nameOrEmail(row);
  return {
    ...row,
    name,
    addresses,
    lost: lossesOf(lost),
    notifications: settingsOf(parsePersonal, notifications, onUnreadable),
  };
}
