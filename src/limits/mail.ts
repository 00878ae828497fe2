import { bytes, count, KIB, type Limits, MIB, milliseconds, valuesOf } from './limit.ts';

export const mail = {
  body: bytes(16 * MIB, 'A mail', '552'),
  stored: bytes(
    MIB,
    'The same without its attachments, which are neither stored nor read',
    'The rest is neither stored nor read, and the text of the e-mail notes this',
  ),
  recipients: count(20, 'Recipients of an e-mail', '452'),
  sessions: count(
    100,
    'Sessions at once. One network can have at most as many as it leaves free for the others, which is half of all while nobody else is connected',
    '421, counted by `pager_connections_refused_total`',
  ),
  leavingTime: milliseconds(
    1_000,
    'Time for a client to read why its session is refused',
    'The connection is closed',
  ),
  idleTime: milliseconds(
    30_000,
    'Time of a session without a command',
    '421, and the session ends',
  ),
  sessionTime: milliseconds(600_000, 'Time of a whole session', 'It ends'),
  guesses: count(20, 'Unknown addresses in one session', '421, and the session ends'),
  closingTime: milliseconds(5_000, 'Time for open sessions when the server stops', 'They end'),
  readers: count(2, 'E-mails read at once', 'They wait, and organizations take turns'),
  readersOfOne: count(1, 'Of these, for one organization', 'They wait'),
  waiting: count(200, 'E-mails waiting to be read', 'Only their headers are read'),
  // No limit sessions.
  waitingOfOne: count(100, 'Of these, of one integration', 'Only their headers are read'),
  waitingTime: milliseconds(
    10_000,
    'Time that an e-mail waits for its turn',
    'Only its headers are read',
  ),
  readingProcessor: milliseconds(
    5_000,
    'Processor time to read an e-mail',
    'Only its headers are read',
  ),
  readingTime: milliseconds(30_000, 'Elapsed time to read an e-mail', 'Only its headers are read'),
  readingMemory: bytes(128 * MIB, 'Memory to read an e-mail', 'Only its headers are read'),
  // In base64 the largest that is stored has 14,000, of nothing half a million; each costs its reader the same.
  lines: count(20_000, 'Lines of an e-mail', 'The rest is stored, but not read'),
  forwarded: count(2, 'Nested e-mails that are read', 'E-mails nested deeper are ignored'),
  nesting: count(32, 'Nesting depth of the parts of an e-mail', 'Only its headers are read'),
  headers: bytes(256 * KIB, 'Headers of an e-mail', 'Only its headers are read'),
  headersAlone: bytes(
    64 * KIB,
    'Bytes that are read of an e-mail whose headers alone are read',
    'The rest is ignored',
  ),
  headersStored: count(200, 'Different stored headers of an e-mail', 'The rest is omitted'),
  headerLength: count(2_000, 'Characters of each of them', 'Cut'),
} as const satisfies Limits;

export const mailLimits = valuesOf(mail);
