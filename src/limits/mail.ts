import { bytes, count, KIB, type Limits, MIB, milliseconds, valuesOf } from './limit.ts';

export const mail = {
  body: bytes(MIB, 'A mail', '552'),
  recipients: count(20, 'Recipients of a mail', '452'),
  sessions: count(
    100,
    'Sessions at once. One network has no more than it leaves for the others: half of all while nobody else is there',
    '421; `pager_connections_refused_total` counts who had to come again',
  ),
  leavingTime: milliseconds(
    1_000,
    'Time for whoever is refused a session to hear why',
    'Their connection ends',
  ),
  idleTime: milliseconds(30_000, 'Time of a session without a word', '421, and it ends'),
  sessionTime: milliseconds(600_000, 'Time of a whole session', 'It ends'),
  guesses: count(20, 'Unknown addresses that one session names', '421, and it ends'),
  closingTime: milliseconds(5_000, 'Time for sessions under way when the server stops', 'They end'),
  readers: count(2, 'Mails that are read at once', 'They wait, organisations in turn'),
  readersOfOne: count(1, 'Of these, of one organisation', 'They wait'),
  waiting: count(200, 'Mails waiting to be read', 'Taken by their headers'),
  // As many as there are sessions.
  waitingOfOne: count(100, 'Of these, of one integration', 'Taken by their headers'),
  waitingTime: milliseconds(10_000, 'Time for a mail to wait for its turn', 'Taken by its headers'),
  readingProcessor: milliseconds(
    5_000,
    'Processor time for reading a mail',
    'Taken by its headers',
  ),
  readingTime: milliseconds(
    30_000,
    'Time for reading a mail, by the clock',
    'Taken by its headers',
  ),
  readingMemory: bytes(128 * MIB, 'Memory for reading a mail', 'Taken by its headers'),
  // In base64 the largest mail has 14,000, of nothing half a million; each costs its reader the same.
  lines: count(20_000, 'Lines of a mail', 'The rest is kept, but not read'),
  forwarded: count(2, 'Mails within one another that are read', 'Those inside are not looked at'),
  nesting: count(32, 'Parts of a mail within one another', 'Taken by its headers'),
  headers: bytes(256 * KIB, 'Headers of a mail', 'Taken by its headers'),
  headersAlone: bytes(
    64 * KIB,
    'Read of a mail that is taken by its headers',
    'The rest is not looked at',
  ),
  headersStored: count(200, 'Different headers that are kept of a mail', 'The rest is left out'),
  headerLength: count(2_000, 'Characters of each of them', 'Cut'),
} as const satisfies Limits;

export const mailLimits = valuesOf(mail);
