// What one process of the provider knows: Terraform configures it before anything is read.
import type { Client } from '../client/client.ts';
import { createNodeClient } from '../client/node.ts';
import { createRecords, type Records } from '../client/records.ts';
import { withSettings } from '../client/settings.ts';
import { shareReads } from '../client/shared-reads.ts';
import { withSingletons } from '../client/singletons.ts';
import type { ManagedBy } from '../resources/declaration/managed-by.ts';
import type { Configuration } from './configuration.ts';
import type { Diagnostic } from './diagnostics.ts';
import type { Waves } from './effects/waves.ts';
import { createLookups, type Lookups } from './lookups.ts';
import type { Managed } from './managed.ts';
import { createMemberSides, type MemberSides } from './member-sides.ts';
import { giveUpTogether, readBeforeWriting } from './outage.ts';
import { createPeople, type People } from './people.ts';
import { createPreviews, type Previews } from './previews.ts';
import type { Log } from './protocol/log.ts';
import { logTry, logWaiting } from './request-log.ts';

export type Connection = {
  readonly client: Client;
  readonly records: Records;
  readonly people: People;
  readonly lookups: Lookups;
  readonly previews: Previews;
  readonly memberSides: MemberSides;
  readonly teamId: string | null;
  /** What it says of the records that it writes. */
  readonly managedBy: ManagedBy;
};

/** The effects of several changes, of the organization with this name. */
export type Report = (organization: string | undefined) => readonly Diagnostic[];

export type Session = {
  /** The records that it manages. */
  readonly managed: readonly Managed[];
  /** In milliseconds since 1970. */
  readonly now: () => number;
  /** Null before it is configured, and while a setting is known only after an apply. */
  connection: Connection | null;
  /** Of the walk that it was configured for. */
  waves: Waves<Report>;
};

export function connect(configuration: Configuration, userAgent: string, log: Log): Connection {
  const { teamId, ...options } = configuration;
  const plain = createNodeClient({ ...options, userAgent, onTry: (tried) => logTry(log, tried) });
  const client = readBeforeWriting(giveUpTogether(logWaiting(plain, log)));
  const direct = createRecords(client);
  const records = withSingletons(withSettings(shareReads(direct), client), direct);
  return {
    client,
    records,
    teamId,
    managedBy: options.managedBy,
    people: createPeople(client),
    lookups: createLookups(client),
    memberSides: createMemberSides(),
    // One that is not answered in time says nothing of other requests.
    previews: createPreviews(plain, options),
  };
}
