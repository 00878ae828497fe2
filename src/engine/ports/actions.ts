// What people do to incidents.

import type { PastEntries, PastEntry } from '../../incidents/actions-without-effect.ts';
import type { Incident } from '../../incidents/incident.ts';
import type { ChangeWriter, ConfigurationReader } from './changes.ts';
import type { IncidentLocker } from './incidents.ts';

/** One request that may be sent again: of one caller, to one route, under the caller's key. */
export type Repeatable = {
  readonly organizationId: string;
  readonly caller: string;
  readonly route: string;
  readonly key: string;
  /** All that makes two requests the same one. */
  readonly content: string;
  readonly now: Temporal.Instant;
};

type CreationRecorder = {
  /** What the request was done on, in the commit that does it; it throws if another run does it now. */
  recordDone(request: Repeatable, id: string): Promise<void>;
};

/** What somebody did at a vendor, by the vendor's name for it. */
export type ReplyKey = {
  readonly organizationId: string;
  /** Null: the channel needs none. */
  readonly connectionId: string | null;
  readonly eventId: string;
};

/** What came of it. */
export type Acted = {
  readonly incidentId: string;
  /** Why it changed nothing, as its sender was notified; null: it changed something. */
  readonly unchanged: string | null;
};

export type ActedReply = ReplyKey & Acted;

type ContentReader = {
  /** The locked incident with what the tools of its alerts sent. */
  withContents(incident: Incident): Promise<Incident>;
};

export type ActionTx = ConfigurationReader &
  ChangeWriter &
  ContentReader &
  IncidentLocker & {
    /** What came of it before, null: it was not done yet; asked with its incident locked. */
    actedBefore(reply: ReplyKey): Promise<Acted | null>;
    recordActed(reply: ActedReply, now: Temporal.Instant): Promise<void>;
    /** Those of the incident's timeline, the last first; asked with it locked. */
    pastEntries(incident: Incident, filter: PastEntries): Promise<readonly PastEntry[]>;
    /** Whether another incident of its deduplication key is open. */
    anotherIsOpen(incident: Incident): Promise<boolean>;
  };

export type SplittingTx = ConfigurationReader &
  ChangeWriter &
  CreationRecorder &
  ContentReader &
  IncidentLocker;

export type OpeningTx = ConfigurationReader &
  ChangeWriter &
  CreationRecorder &
  Pick<ActionTx, 'recordActed'>;
