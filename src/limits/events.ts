import {
  bytes,
  count,
  hours,
  KIB,
  type Limits,
  MIB,
  milliseconds,
  seconds,
  valuesOf,
} from './limit.ts';

/** What is read of an event, and when it is processed. */
export const events = {
  alerts: count(5_000, 'Alerts in one event', '400. An e-mail is stored as `unreadable`'),
  links: count(50, 'Links in an alert', 'The list is truncated'),
  linkLength: count(2_048, 'Characters in the address of a link', 'The link is omitted'),
  titleLength: count(200, 'Characters in a title', 'Truncated, at a space if there is one'),
  keyLength: count(
    500,
    'Characters in a dedup key',
    'The end is replaced by a hash of the whole key',
  ),
  pathLength: count(2_048, 'Stored characters in the path of the address', 'Truncated'),
  queryLength: count(4_096, 'Stored characters in the query of the address', 'Truncated'),
  headerLength: count(1_024, 'Stored characters in a header', 'Truncated'),
  searched: count(
    5_000,
    'Characters in a text in an event that a regular expression of its integration type or mapping searches',
    'The rest is not searched',
  ),
  secretLength: count(
    6,
    'Minimum characters in a secret for it to be masked in the stored event',
    'A shorter secret is not masked, because it could be any word in the event',
  ),
  secrets: count(
    20,
    'Secrets in an event that are also masked within longer texts',
    'Others are masked only if they are a whole JSON value',
  ),
  expressionLength: count(200, 'Characters in a regular expression of a mapping', '422'),
  expressionSize: count(1_000, 'Instructions in a compiled regular expression of a mapping', '422'),
  mappingForms: count(8, 'Forms of a mapping', '422'),
  mappingAlternatives: count(20, 'Alternatives, paths or rules in one field of a mapping', '422'),
  mappingText: count(500, 'Characters in a path or in words of a mapping', '422'),
  mappingLength: count(16_000, 'Characters in a mapping as JSON', '422'),
  mappingWork: count(
    40_000_000,
    'Work to read an event with a mapping: characters that a regular expression searches times its instructions, and 50 for each path',
    'The event is read by its integration type, with a note',
  ),
  readingAtOnce: count(
    150_000,
    'Work to read an event in the main thread, which takes 8 to 12 ms at worst. Each byte and each parsed character counts as 1',
    'It is read in a worker thread within the next limits',
  ),
  readingWork: count(
    50_000_000,
    'Work to read an event in a worker thread',
    'The event becomes one alert with the first line of its body as the title',
  ),
  mappingTrialWork: count(
    100_000_000,
    'Work to try a mapping on events. Each event is read with and without the mapping',
    '422',
  ),
  valuesOfOne: count(
    25_000,
    'Values in the details of one alert, if its event is read in a worker thread',
    'The largest of them become text',
  ),
  values: count(100_000, 'Values in the details of all alerts of such an event', 'The same'),
  valuesOfMany: count(
    100,
    'Values that each alert of such an event can have in any case',
    'The same',
  ),
  readers: count(
    2,
    'Events that are read in worker threads at once',
    'They wait, and organizations take turns',
  ),
  readersOfOne: count(
    1,
    'Events of one organization that are read in worker threads at once',
    'They wait',
  ),
  readersWaitingTime: milliseconds(
    600_000,
    'How long an event waits for a worker thread',
    'The event is read as text',
  ),
  readersProcessor: milliseconds(10_000, 'Processor time to read an event', 'The same'),
  readersTime: milliseconds(60_000, 'Elapsed time to read an event', 'The same'),
  readersMemory: bytes(512 * 1024 * KIB, 'Memory to read an event', 'The same'),
  mappingRevisions: count(100, 'Stored mappings of an integration', 'The oldest is deleted'),
  mappingTriedBytes: bytes(
    2 * 1024 * KIB,
    'Size of the events that a mapping is tried on at once',
    'Older events are left out',
  ),
  mappingTriedBody: bytes(
    256 * KIB,
    'Size of a body that a mapping is tried on instead of events',
    '422',
  ),
  mappingTried: count(100, 'Events that a mapping is tried on at once', '422'),
  // No tool's own words are longer; the rest of a mail may be whatever somebody wrote.
  subjectLength: count(
    2_000,
    'Characters in a subject that are searched to recognize a monitoring tool',
    'The e-mail is read like one from an unknown tool',
  ),
  mailTextLength: count(
    32 * KIB,
    'Characters in an e-mail that are searched to recognize a monitoring tool',
    'The rest is ignored',
  ),
  // What a notice shows of the details.
  detailsStored: count(
    4_000,
    'Characters in an incident’s details, beyond the storage budget of its integration (`PAGER_EVENT_STORAGE_MIB_PER_DAY`)',
    'Truncated after the event is processed, and marked with …',
  ),
  linksStored: count(
    2_000,
    'Characters in an incident’s links, beyond the storage budget',
    'Further links are omitted',
  ),
  bodyStored: bytes(
    KIB,
    'Body of an event, or text of an e-mail, beyond the storage budget',
    'Truncated after the event is processed. The event log shows the original size',
  ),
  alertsStored: count(
    20,
    'Alerts of an event whose outcomes the event log contains, beyond the storage budget',
    'The outcomes of further alerts are omitted from the log',
  ),
  requestStored: count(
    500,
    'Characters each of the path, the query and the headers of an event, or of the subject and the headers of an e-mail, beyond the storage budget',
    'Truncated. Further headers are omitted',
  ),
  undecidedBytes: bytes(
    32 * 1024 * KIB,
    'Size of one integration’s events that are stored but not processed yet, beyond the storage budget',
    '429, or 503 for types whose tool retries only on 503. An e-mail gets 451',
  ),
  decidedUpTo: count(
    1_000,
    'Waiting alerts while events are processed before the response',
    'Events are stored, answered with `accepted`, and processed right after',
  ),
  decidedAlone: count(
    7_000,
    'The same for a single large event, where every 8 KiB count as an alert',
    'The same',
  ),
  batch: count(
    500,
    'Alerts processed in one transaction, unless one event contains more',
    'They are processed in several transactions',
  ),
  lanes: count(2, 'Transactions that process alerts at once', 'More alerts wait'),
  handshake: bytes(
    16 * KIB,
    'Body of a request with which a service checks whether an address accepts events',
    'The request counts as an event',
  ),
  certificateTime: milliseconds(
    2_000,
    'Time to fetch the certificate of an Amazon SNS message',
    'The signature is not checked, and the message is accepted',
  ),
  certificatesAtOnce: count(8, 'Amazon SNS certificates fetched at once', 'The same'),
  certificateAgain: seconds(
    60,
    'Time before a certificate that could not be fetched is fetched again',
    'The same',
  ),
  certificateBytes: bytes(16 * KIB, 'Size of an Amazon SNS certificate', 'Truncated'),
  // With the certificate it ends before Amazon SNS gives up, after 15 seconds.
  confirmationTime: milliseconds(
    8_000,
    'Time to confirm a subscription to an Amazon SNS topic',
    '503. Amazon SNS sends it again',
  ),
  confirmationsAtOnce: count(
    16,
    'Subscriptions confirmed at once',
    '503. Amazon SNS sends it again',
  ),
  readAgain: count(
    5_000,
    'Stored events of an integration that are read again when keys of 0.1.0 are exchanged',
    'Incidents of older events keep their key and can still end',
  ),
  readAgainBytes: bytes(32 * MIB, 'Size of these events', 'The same'),
  exchangedIncidents: count(
    10_000,
    'Open incidents of an integration whose keys of 0.1.0 are exchanged',
    'Older incidents keep their key and can still end',
  ),
  changeHours: hours(
    24,
    'How long before an incident a change of its service can be to be shown with it',
    'Earlier changes are not shown. A change whose timestamp is older gets the time of its arrival',
  ),
  tried: count(50, 'Headers of an event that a rule is tested on', '422'),
  triedCount: count(
    1_000_000,
    'Earlier incidents and suppressed events that a rule test assumes',
    '422',
  ),
} as const satisfies Limits;

export const eventsLimits = valuesOf(events);
