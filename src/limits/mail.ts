import { bytes, count, KIB, type Limits, MIB, milliseconds, valuesOf } from './limit.ts';

export const mail = {
  body: bytes(16 * MIB, 'A mail', '552'),
  stored: bytes(
    MIB,
    'The same without its attachments, which are neither stored nor read',
    'The rest is neither stored nor read, and the text of the mail says so',
  ),
  recipients: count(20, 'Recipients of a mail', '452'),
  sessions: count(
    100,
    'Sessions at once. One network has at most as many as are left for the others: half of all while nobody else is there',
    '421; counted by `pager_connections_refused_total`',
  ),
  leavingTime: milliseconds(
    1_000,
    'Time for a client whose session is refused to read the reason',
    'Their connection ends',
  ),
  idleTime: milliseconds(30_000, 'Time of a session without a command', '421, and it ends'),
  sessionTime: milliseconds(600_000, 'Time of a whole session', 'It ends'),
  guesses: count(20, 'Unknown addresses that one session names', '421, and it ends'),
  closingTime: milliseconds(5_000, 'Time for open sessions when the server stops', 'They end'),
  readers: count(2, 'Mails that are read at once', 'They wait, organisations in turn'),
  readersOfOne: count(1, 'Of these, of one organisation', 'They wait'),
  waiting: count(200, 'Mails waiting to be read', 'Only their headers are read'),
  // As many as there are sessions.
  waitingOfOne: count(100, 'Of these, of one integration', 'Only their headers are read'),
  waitingTime: milliseconds(
    10_000,
    'Time for a mail to wait for its turn',
    'Only its headers are read',
  ),
  readingProcessor: milliseconds(
    5_000,
    'Processor time for reading a mail',
    'Only its headers are read',
  ),
  readingTime: milliseconds(
    30_000,
    'Time for reading a mail, by the clock',
    'Only its headers are read',
  ),
  readingMemory: bytes(128 * MIB, 'Memory for reading a mail', 'Only its headers are read'),
  // In base64 the largest that is stored has 14,000, of nothing half a million; each costs its reader the same.
  lines: count(20_000, 'Lines of a mail', 'The rest is stored, but not read'),
  forwarded: count(
    2,
    'Mails nested in one another that are read',
    'Those further inside are ignored',
  ),
  nesting: count(32, 'Parts of a mail within one another', 'Only its headers are read'),
  headers: bytes(256 * KIB, 'Headers of a mail', 'Only its headers are read'),
  headersAlone: bytes(
    64 * KIB,
    'Read of a mail of which only the headers are read',
    'The rest is ignored',
  ),
  headersStored: count(200, 'Different headers of a mail that are stored', 'The rest is omitted'),
  headerLength: count(2_000, 'Characters of each of them', 'Cut'),
} as const satisfies Limits;

export const mailLimits = valuesOf(mail);
