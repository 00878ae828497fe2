// All that is stored sealed: the one list that sealing, opening, the rotation of the secret key and
// the tests read.
import type { TSchema } from 'typebox';
import { isSealed, type Sealed, textOf } from '../../resources/declaration/field.ts';
import { mapSensitive } from '../../resources/declaration/references-and-secrets.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { escalationPolicy } from '../../resources/escalation-policy.ts';
import { records } from '../../resources/index.ts';
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
  readonly mapValue?: (value: unknown, change: Change) => unknown;
};

/** Sealed, beside what may be shown of it, and the one before it. */
type StoredSecret = Sealed & { readonly replaced?: Sealed };

const ownKey = ['organization_id', 'id'] as const;

/** Those that no declared record has, and those of a record that are copied into other rows. */
const columns = {
  'integrations.token_encrypted': { key: ownKey, bound: 'row' },
  'webhook_secrets.secret_encrypted': { key: ownKey, bound: 'row' },
  'calendar_feeds.token_encrypted': { key: ownKey, bound: 'row' },
  'contacts.subscription_encrypted': { key: ownKey, bound: 'row' },
  'second_factors.secret_encrypted': { key: ['organization_id', 'user_id'], bound: 'row' },
  'channel_connections.secrets': {
    key: ownKey,
    bound: 'row',
    mapValue: (value, change) =>
      Object.fromEntries(
        Object.entries(value as Readonly<Record<string, StoredSecret>>).map(([name, stored]) => [
          name,
          {
            ...stored,
            sealed: textOf(change({ sealed: stored.sealed })),
            ...(stored.replaced && {
              replaced: {
                ...stored.replaced,
                sealed: textOf(change({ sealed: stored.replaced.sealed })),
              },
            }),
          },
        ]),
      ),
  },
  'idempotent_answers.answer_encrypted': {
    key: ['organization_id', 'caller', 'route', 'key'],
    bound: 'row',
  },
  'attempts.called': {
    key: ['organization_id', 'key', 'number'],
    bound: 'row',
    mapValue: memberOf('url'),
  },
  // Addresses of chats: those of a policy go on into incidents, and from there into the outbox.
  'escalation_policies.steps': {
    key: ownKey,
    bound: 'organization',
    mapValue: sensitiveIn(escalationPolicy.fields.steps),
  },
  'incidents.steps': {
    key: ownKey,
    bound: 'organization',
    mapValue: sensitiveIn(escalationPolicy.fields.steps),
  },
  'outbox.notice': {
    key: ['organization_id', 'key'],
    bound: 'organization',
    mapValue: memberOf('address'),
  },
  'schedule_notifications.settings': {
    key: ['organization_id', 'oncall_schedule_id'],
    bound: 'organization',
    mapValue: sensitiveIn(scheduleNotifications),
  },
  'organizations.shift_notifications': {
    key: ['id'],
    bound: 'organization',
    mapValue: sensitiveIn(organizationNotifications),
  },
} as const satisfies Record<string, SealedDeclaration>;

type Columns = typeof columns;
type RowBoundColumn = {
  [Name in keyof Columns]: Columns[Name]['bound'] extends 'row' ? Name : never;
}[keyof Columns];
type Key = readonly [organizationId: string, ...rest: string[]];

export const rowContext = (
  column: RowBoundColumn | 'outbound_webhooks.url',
  ...key: Key
): SealContext => [column, ...key];

export const addressContext = (organizationId: string): SealContext => ['address', organizationId];

export type SealedColumn = SealedDeclaration & {
  readonly table: string;
  readonly column: string;
  readonly contextOf: (key: Key) => SealContext;
};

function columnNamed(name: string, declared: SealedDeclaration): SealedColumn {
  const [table = '', column = ''] = name.split('.');
  const contextOf = (key: Key): SealContext =>
    declared.bound === 'row' ? [name, ...key] : addressContext(key[0]);
  return { ...declared, table, column, contextOf };
}

const others = new Map(
  Object.entries<SealedDeclaration>(columns).map(([name, declared]) => [
    name,
    columnNamed(name, declared),
  ]),
);

/** Where the secrets in a declared field are sealed: bound to its row, unless declared above. */
export function sealedField(table: string, column: string, schema?: TSchema): SealedColumn {
  const name = `${table}.${column}`;
  const isText = (schema as { type?: string } | undefined)?.type === 'string';
  const declared: SealedDeclaration =
    schema === undefined || isText
      ? { key: ownKey, bound: 'row' }
      : { key: ownKey, bound: 'row', mapValue: sensitiveIn(schema) };
  return others.get(name) ?? columnNamed(name, declared);
}

const holdsSecrets = (schema: TSchema) => JSON.stringify(schema).includes('"x-sensitive":true');

/** All columns that hold something sealed, by the declarations of these records. */
export function sealedColumnsOf(declared: readonly Resource[]): readonly SealedColumn[] {
  const fields = declared.flatMap(({ table, fields }) =>
    Object.entries(fields).flatMap(([name, schema]) =>
      holdsSecrets(schema) ? [sealedField(table, name, schema)] : [],
    ),
  );
  return [...new Set([...fields, ...others.values()])];
}

export const sealedColumns = sealedColumnsOf(records);

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
