import { bytes, count, KIB, type Limits, MIB, milliseconds, valuesOf } from './limit.ts';

export const mail = {
  body: bytes(16 * MIB, 'Size of an e-mail', '552'),
  stored: bytes(
    MIB,
    'Size of an e-mail without its attachments, which are neither stored nor read',
    'The rest is neither stored nor read. A note in the text shows this',
  ),
  recipients: count(20, 'Recipients of an e-mail', '452'),
  sessions: count(
    100,
    'SMTP sessions at once. One network can have at most as many as it leaves free for the others, which is half of all while nobody else is connected',
    '421, counted by `pager_connections_refused_total`',
  ),
  leavingTime: milliseconds(
    1_000,
    'How long a client has to read why its session is refused',
    'The connection is closed',
  ),
  idleTime: milliseconds(30_000, 'How long a session can be idle', '421, and the session ends'),
  sessionTime: milliseconds(600_000, 'Duration of a session', 'The session ends'),
  guesses: count(20, 'Unknown addresses in one session', '421, and the session ends'),
  closingTime: milliseconds(
    5_000,
    'How long sessions can continue when the server stops',
    'The sessions end',
  ),
  readers: count(2, 'E-mails read at once', 'They wait, and organizations take turns'),
  readersOfOne: count(1, 'E-mails of one organization read at once', 'They wait'),
  waiting: count(200, 'E-mails waiting to be read', 'Only their headers are read'),
  // No limit sessions.
  waitingOfOne: count(
    100,
    'E-mails of one integration waiting to be read',
    'Only their headers are read',
  ),
  waitingTime: milliseconds(
    10_000,
    'How long an e-mail waits to be read',
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
  lines: count(20_000, 'Lines in an e-mail', 'The rest is stored, but not read'),
  forwarded: count(2, 'Nested e-mails that are read', 'E-mails nested deeper are ignored'),
  nesting: count(32, 'Nesting depth of the parts of an e-mail', 'Only its headers are read'),
  headers: bytes(256 * KIB, 'Size of the headers of an e-mail', 'Only its headers are read'),
  headersAlone: bytes(
    64 * KIB,
    'Bytes that are read of an e-mail if only its headers are read',
    'The rest is ignored',
  ),
  replies: count(
    40,
    'Replies to pages and bounces received at once. One organization can use at most as many as it leaves free for the others',
    '451',
  ),
  repliesMemory: bytes(32 * MIB, 'Memory for the replies and bounces received at once', '451'),
  returnsKnown: count(
    10_000,
    'Reply and bounce addresses that a server remembers',
    'They are looked up again',
  ),
  repliesAnHour: count(60, 'Replies to pages per person and hour', '451'),
  replyText: count(65_536, 'Characters read of a reply to a page', 'The rest is ignored'),
  reportedRecipients: count(20, 'Recipients read of a bounce', 'The rest are ignored'),
  note: bytes(4 * KIB, 'Size of a note added by replying to a page', 'Truncated'),
  answersAnHour: count(
    10,
    'E-mails per hour to one person about replies that had no effect',
    'No e-mail is sent',
  ),
  headersStored: count(200, 'Stored headers of an e-mail', 'The rest are omitted'),
  headerLength: count(2_000, 'Characters in each stored header', 'Truncated'),
} as const satisfies Limits;

export const mailLimits = valuesOf(mail);
