import {
  bytes,
  count,
  hours,
  KIB,
  type Limits,
  milliseconds,
  minutes,
  percent,
  seconds,
  valuesOf,
} from './limit.ts';

/** Pages and other notices, and how they leave. */
export const sending = {
  underWay: count(
    512,
    'Notices on their way at once. One organisation has no more than it leaves for the others: half of all while nobody else sends',
    'They wait',
  ),
  // Slow ones leave room for the others.
  ofChannel: percent(
    75,
    'Of these, by one channel, and calls of outbound webhooks; of those one organisation has half at most',
    'They wait; other channels go on',
  ),
  // The operator's mail server takes a few at once; the rest waits for it, and leaves in time.
  mails: count(128, 'Of these, by e-mail', 'They wait'),
  ofRecipient: count(4, 'Of these, to one receiver', 'They wait; other receivers go on'),
  ofQuickRecipient: count(32, 'Of these, to one receiver that answers quickly', 'They wait'),
  extra: count(64, 'Of these, to quick receivers beyond what others have', 'They wait'),
  quickTime: milliseconds(250, 'Time of an answer that counts as quick', 'It counts as slow'),
  quickAnswers: count(
    8,
    'Quick answers in a row before a receiver counts as quick',
    'It may have more, until one is slow',
  ),
  // Longer than any channel may take.
  lease: seconds(
    60,
    'Time for which a claimed notice belongs to the server that sends it',
    'Another server sends it, perhaps once more',
  ),
  retryWait: seconds(60, 'Wait between two tries of a notice', 'It grows no longer'),
  givenUpHours: hours(
    24,
    'Time in which a notice that is no call of a webhook is tried again, and longer if there were few tries',
    'Given up; the timeline says so',
  ),
  triesAtLeast: count(20, 'Tries before a notice is given up', 'Given up once it is too old'),
  // As long as a repeat would wait.
  retryAfterMinutes: minutes(
    10,
    'Wait that a receiver’s `Retry-After` may ask for, except as long as a page’s step waits',
    'Tried again then all the same',
  ),
  webhookRetryAfterSeconds: seconds(
    3_600,
    'The same of an outbound webhook',
    'Tried again then all the same',
  ),
  connectTime: milliseconds(
    5_000,
    'Time to connect to a webhook or a chat, its name looked up',
    'Tried again',
  ),
  callTime: milliseconds(15_000, 'Time of a whole call', 'Tried again'),
  answerRead: bytes(64 * KIB, 'Read of its answer', 'The rest is not read'),
  answerStored: bytes(2 * KIB, 'Kept of its answer', 'Cut'),
  addresses: count(8, 'Addresses of a name that are tried', 'The first are tried'),
  nextAddressTime: milliseconds(
    1_000,
    'Time for one of them to be connected to',
    'The next is tried as well',
  ),
  lookups: count(64, 'Names that are looked up at once', 'They wait, pages before webhooks'),
  lookupsOfWebhooks: count(48, 'Of these, for webhooks', 'They wait'),
  lookupsOfOne: count(
    8,
    'Of these, for the pages of one organisation, and as many for its webhooks',
    'They wait',
  ),
  // Less than the time to connect, of which it is a part.
  lookupTime: milliseconds(4_000, 'Time to look up a name', 'Tried again'),
  nameServerTime: milliseconds(1_000, 'Time for a name server to answer', 'The next one is asked'),
  nameCacheTime: milliseconds(
    5_000,
    'Time for which a found address is used again',
    'Looked up anew',
  ),
  failedNameCacheTime: milliseconds(
    2_000,
    'Time for which a name that was not found is not asked for again',
    'Looked up anew',
  ),
  addressesOfFamily: count(4, 'Addresses of a name by IPv4, and by IPv6', 'The first are used'),
  searchDomains: count(6, '`search` domains that are heeded', 'The first are heeded'),
  mailConnections: count(5, 'Connections to the SMTP server', 'Mails wait'),
  mailsWaiting: count(500, 'Mails that wait for it', 'Tried again'),
  mailConnectTime: milliseconds(10_000, 'Time to connect to the SMTP server', 'Tried again'),
  mailIdleTime: milliseconds(30_000, 'Time for which it may say nothing', 'Tried again'),
  // Shorter than the lease of a notice, or another server would send it meanwhile.
  mailTime: milliseconds(45_000, 'Time for one mail', 'Tried again'),
  details: count(4_000, 'Characters of an event’s details in a notice', 'Cut'),
  formDetails: bytes(
    256 * KIB,
    'Details that a webhook is told in a form, each value by itself',
    'They are one value, as JSON',
  ),
  // One to sign with, and during a rotation the one that follows it.
  signingSecrets: count(2, 'Signing secrets of one webhook', '409'),
} as const satisfies Limits;

export const sendingLimits = valuesOf(sending);
