// What a record may do in the API beyond being read and written. `hooks.ts` lists which record does
// what.

import type { Problem, Resource } from '../../resources/declaration/resource.ts';
import type { StoredRecord } from '../../storage/records/rows.ts';
import type { Lookup } from '../../storage/records/uses.ts';
import type { NamedChannel } from '../connections/unpostable-channels.ts';
import type { NamedPerson } from '../contacts/contact-warnings.ts';
import type { ParsedBody, RecordFields } from './body.ts';

/** Each is optional; most records need none. */
export type RecordHooks = {
  /** Finds mistakes that only show beside other records, or beside the settings of this server. */
  readonly check?: (
    proposal: Proposal,
    lookup: Lookup,
    capabilities: Capabilities,
  ) => readonly Problem[] | Promise<readonly Problem[]>;
  /** What is filled in where a write leaves it out. */
  readonly complete?: (fields: RecordFields) => RecordFields;
  /** What of the stored record a write by Terraform leaves as it is, in the written fields. */
  readonly keep?: (fields: RecordFields, before: StoredRecord) => RecordFields;
  /** Names in sentences what is well-formed and cannot work on this server today. */
  readonly findInoperative?: (
    fields: RecordFields,
    capabilities: Capabilities,
  ) => readonly string[];
  /** Runs after the commit of a write. */
  readonly committed?: (effects: RecordEffects) => void;
  /** Warnings that need the stored record. */
  readonly warn?: (effects: RecordEffects, saved: SavedRecord) => Promise<readonly string[]>;
  /** What an answer has beside the declared fields. */
  readonly compute?: (record: StoredRecord, addresses: Addresses) => object;
};

/** A write as it would be stored. */
export type Proposal = {
  readonly resource: Resource;
  /** Undefined: the record is new. */
  readonly before: StoredRecord | undefined;
  readonly teamId: string;
  readonly written: ParsedBody;
  readonly now: Temporal.Instant;
};

/** What this server can do with its settings. */
export type Capabilities = {
  /** Slugs of the integration types. */
  readonly slugs: ReadonlySet<string>;
  /** The ways to people that are set up. */
  readonly channels: ReadonlySet<string>;
  /** Those that connections of the organization serve. */
  readonly connected: ReadonlySet<string>;
  /** A server of the release before may be connected, which does not know the newest fields. */
  readonly isUpgrading?: boolean;
  /** Why an IP address may not be called; undefined: it may. */
  readonly refusalOf: (address: string) => string | undefined;
};

/** What a write of a record sets off elsewhere. */
export type RecordEffects = {
  /** A write of a schedule was committed. */
  readonly scheduleCommitted: () => void;
  /** What whoever saved a schedule should know of it. */
  readonly scheduleWarnings: (saved: SavedRecord) => Promise<readonly string[]>;
  /** What whoever chose channels of a chat should know of them. */
  readonly channelWarnings: (
    organizationId: string,
    named: readonly NamedChannel[],
  ) => Promise<readonly string[]>;
  /** What whoever has people paged should know of their contacts. */
  readonly contactWarnings: (
    organizationId: string,
    named: readonly NamedPerson[],
  ) => Promise<readonly string[]>;
  /** What whoever groups alerts of an integration by values should know of its last ones. */
  readonly groupingWarnings: (
    of: { readonly organizationId: string; readonly integrationId: string },
    by: readonly string[],
  ) => Promise<readonly string[]>;
};

export type SavedRecord = {
  readonly organizationId: string;
  readonly id: string;
  readonly fields: RecordFields;
  readonly now: Temporal.Instant;
};

/** What integrations' addresses are made of. */
export type Addresses = {
  /** Where tools send events: `<public url>/hooks`. */
  readonly hooksUrl: string;
  readonly emailDomain: string;
};
