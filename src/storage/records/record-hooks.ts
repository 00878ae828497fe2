// What a record may do in storage beyond being stored. `hooks.ts` lists which record does what.
import type { Row } from 'postgres';
import type { Ids } from '../../engine/ids.ts';
import type { ManagedBy } from '../../resources/declaration/managed-by.ts';
import type { Queries, Transaction } from '../database/database.ts';
import type { Act } from '../organizations/audit.ts';
import type { Secrets } from '../sealed/secrets.ts';
import type { OwnColumns, StoredRecord } from './rows.ts';

/** Each is optional; most records need none. */
export type RecordHooks = {
  /** Columns beside those of the declared fields. */
  readonly columns?: OwnColumns;
  /** The values of these columns in a new record. */
  readonly prepare?: (write: RecordWrite, draft: NewRecord) => Readonly<Record<string, unknown>>;
  /** Runs after a new record and before its audit entry, in the same transaction. */
  readonly created?: (write: RecordWrite, record: StoredRecord) => Promise<unknown>;
  /** Runs before an update, an archiving or a restore; answers what to set in these columns. */
  readonly changing?: (
    write: RecordWrite,
    change: RecordChange,
  ) => Promise<Readonly<Record<string, unknown>>>;
  /** Runs before an archiving; answers what moved to another record, for the audit log. */
  readonly archiving?: (
    write: RecordWrite,
    archiving: Archiving,
  ) => Promise<object | 'replacement_not_active'>;
  /** What uses the record, beside the fields of other records. */
  readonly uses?: (tx: Queries, record: UsedRecord) => Promise<readonly Use[]>;
  /** What a lookup by id answers beside the name. */
  readonly lookup?: {
    readonly columns: readonly string[];
    readonly read: (row: Row) => Partial<ReferencedRecord>;
  };
};

export type RecordWrite = {
  readonly tx: Transaction;
  readonly act: Act;
  readonly secrets: Secrets;
  readonly ids: Ids;
};

export type NewRecord = {
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
};

export type RecordChange = {
  readonly before: StoredRecord;
  /** All fields after the change. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Whether the record is archived after the change. */
  readonly archived: boolean;
};

export type Archiving = {
  readonly before: StoredRecord;
  /** What is active and points to the record. */
  readonly uses: () => Promise<readonly Use[]>;
};

export type UsedRecord = {
  readonly organizationId: string;
  readonly kind: string;
  readonly id: string;
};

/** An active record that still points to another. */
export type Use = {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  /** Null: the organisation as a whole. */
  readonly teamId: string | null;
  readonly managedBy: ManagedBy | null;
};

/** A record, user or team that an id was said to name. */
export type ReferencedRecord = {
  readonly id: string;
  readonly name: string;
  /** Null for what belongs to the organisation as a whole. */
  readonly teamId: string | null;
  readonly active: boolean;
  /** Of a playbook: those that it runs. */
  readonly playbookIds?: readonly string[];
};
