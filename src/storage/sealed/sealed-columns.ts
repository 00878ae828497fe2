// All that is stored sealed: the one list that sealing, opening, the rotation of the secret key and
// the tests read.
import type { TSchema } from 'typebox';
import { mapSensitive } from '../../resources/declaration/map-text.ts';
import { isSealed, type Sealed } from '../../resources/declaration/sealed.ts';
import { escalationPolicy } from '../../resources/escalation-policy.ts';
import {
  organizationNotifications,
  scheduleNotifications,
} from '../../resources/shift-notifications.ts';

/** What a sealed text is bound to: it opens nowhere else. */
export type SealContext = readonly string[];

type MaybeSealed = string | Sealed;
type Change = (stored: MaybeSealed) => MaybeSealed;

type SealedDeclaration = {
  /** The primary key of its table; its first column is the organisation. */
  readonly key: readonly [string, ...string[]];
  /** What is copied from row to row is bound to its organisation, and to what it is. */
  readonly bound: 'row' | 'organization';
  /** Of a json column: the value with what is sealed in it changed. Else the column is the text. */
  readonly within?: (value: unknown, change: Change) => unknown;
};

const ownKey = ['organization_id', 'id'] as const;

const columns = {
  'integrations.token_encrypted': { key: ownKey, bound: 'row' },
  'outbound_webhooks.url': { key: ownKey, bound: 'row' },
  'webhook_secrets.secret_encrypted': { key: ownKey, bound: 'row' },
  'calendar_feeds.token_encrypted': { key: ownKey, bound: 'row' },
  'idempotent_answers.answer_encrypted': {
    key: ['organization_id', 'caller', 'route', 'key'],
    bound: 'row',
  },
  'attempts.called': {
    key: ['organization_id', 'key', 'number'],
    bound: 'row',
    within: memberOf('url'),
  },
  // Addresses of chats: those of a policy go on into incidents, and from there into the outbox.
  'escalation_policies.steps': {
    key: ownKey,
    bound: 'organization',
    within: sensitiveIn(escalationPolicy.fields.steps),
  },
  'incidents.steps': {
    key: ownKey,
    bound: 'organization',
    within: sensitiveIn(escalationPolicy.fields.steps),
  },
  'outbox.notice': {
    key: ['organization_id', 'key'],
    bound: 'organization',
    within: memberOf('address'),
  },
  'schedule_notifications.settings': {
    key: ['organization_id', 'oncall_schedule_id'],
    bound: 'organization',
    within: sensitiveIn(scheduleNotifications),
  },
  'organizations.shift_notifications': {
    key: ['id'],
    bound: 'organization',
    within: sensitiveIn(organizationNotifications),
  },
} as const satisfies Record<string, SealedDeclaration>;

type Columns = typeof columns;
type RowBoundColumn = {
  [Name in keyof Columns]: Columns[Name]['bound'] extends 'row' ? Name : never;
}[keyof Columns];
type Key = readonly [organizationId: string, ...rest: string[]];

export const rowContext = (column: RowBoundColumn, ...key: Key): SealContext => [column, ...key];

export const addressContext = (organizationId: string): SealContext => ['address', organizationId];

export type SealedColumn = SealedDeclaration & {
  readonly table: string;
  readonly column: string;
  readonly contextOf: (key: Key) => SealContext;
};

export const sealedColumns: readonly SealedColumn[] = Object.entries<SealedDeclaration>(
  columns,
).map(([name, declared]) => {
  const [table = '', column = ''] = name.split('.');
  const contextOf = (key: Key): SealContext =>
    declared.bound === 'row' ? [name, ...key] : addressContext(key[0]);
  return { ...declared, table, column, contextOf };
});

export function sealedColumn(table: string, column: string): SealedColumn {
  const match = sealedColumns.find((one) => one.table === table && one.column === column);
  if (match === undefined) throw new Error(`${table}.${column} is not declared as sealed`);
  return match;
}

function sensitiveIn(schema: TSchema) {
  return (value: unknown, change: Change) => mapSensitive(schema, value, change);
}

function memberOf(name: string) {
  return (value: unknown, change: Change) => {
    const stored = (value as Readonly<Record<string, unknown>> | null)?.[name];
    const isStored = typeof stored === 'string' || isSealed(stored);
    return isStored ? { ...(value as object), [name]: change(stored) } : value;
  };
}
