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
  alerts: count(5_000, 'Alerts in one event', '400; a mail is stored as `unreadable`'),
  links: count(50, 'Links of an alert', 'The list is truncated'),
  linkLength: count(2_048, 'Characters of the address of a link', 'The link is omitted'),
  titleLength: count(200, 'Characters of a title', 'Cut, at a space where there is one'),
  keyLength: count(
    500,
    'Characters of a dedup key',
    'Its end is replaced by a digest of the whole',
  ),
  pathLength: count(2_048, 'Characters of the path of the address that are stored', 'Cut'),
  queryLength: count(4_096, 'Characters of the query of the address that are stored', 'Cut'),
  headerLength: count(1_024, 'Characters of a header that are stored', 'Cut'),
  searched: count(
    5_000,
    'Characters of a text of an event that a regular expression of its type or mapping is looked for in',
    'The rest is not searched',
  ),
  secretLength: count(
    6,
    'Characters of the shortest secret in an event that is masked where the event is stored',
    'A shorter one may be any word of the event, and stays',
  ),
  secrets: count(
    20,
    'Secrets of an event that are masked within longer texts too',
    'The others are masked where they are a whole value of JSON',
  ),
  expressionLength: count(200, 'Characters of a regular expression of a mapping', '422'),
  expressionSize: count(1_000, 'Instructions that a regular expression of a mapping takes', '422'),
  mappingForms: count(8, 'Forms of a mapping', '422'),
  mappingAlternatives: count(20, 'Alternatives, places or rules in one field of a mapping', '422'),
  mappingText: count(500, 'Characters of a place or of words of a mapping', '422'),
  mappingLength: count(16_000, 'Characters of a mapping as JSON', '422'),
  mappingWork: count(
    40_000_000,
    'Work of reading an event by a mapping: characters that a regular expression is looked for in, times its instructions; 50 for a place',
    'The event is read by its type, with a note',
  ),
  readingAtOnce: count(
    150_000,
    'Work of reading an event in the main thread: 8 to 12 ms at worst. A byte is 1, and so is a character that is parsed',
    'It is read in a worker thread, within the next limits',
  ),
  readingWork: count(
    50_000_000,
    'The same in a worker thread',
    'The event is one alert, titled by the first line of its body',
  ),
  mappingTrialWork: count(
    100_000_000,
    'The same of trying a mapping on events, which reads each as it was read and as it would be',
    '422',
  ),
  valuesOfOne: count(
    25_000,
    'Values in the details of one alert, of an event that is read in a worker thread',
    'The largest of them become text',
  ),
  values: count(100_000, 'The same of all alerts of the event', 'The same'),
  valuesOfMany: count(
    100,
    'The same that each alert may have whatever the others have',
    'The same',
  ),
  readers: count(
    2,
    'Events that are read in worker threads at once',
    'They wait, organisations in turn',
  ),
  readersOfOne: count(1, 'Of these, of one organisation', 'They wait'),
  readersWaitingTime: milliseconds(
    600_000,
    'Time for an event to wait for its turn',
    'It is read as text',
  ),
  readersProcessor: milliseconds(10_000, 'Processor time for reading an event', 'The same'),
  readersTime: milliseconds(60_000, 'Time for reading an event, by the clock', 'The same'),
  readersMemory: bytes(512 * 1024 * KIB, 'Memory for reading an event', 'The same'),
  mappingRevisions: count(100, 'Mappings of an integration that are kept', 'The oldest is deleted'),
  mappingTriedBytes: bytes(
    2 * 1024 * KIB,
    'Bodies of the events that a mapping is tried on at once',
    'Older events are left out',
  ),
  mappingTriedBody: bytes(
    256 * KIB,
    'A body that a mapping is tried on, in place of events',
    '422',
  ),
  mappingTried: count(100, 'Events that a mapping is tried on at once', '422'),
  // No tool's own words are longer; the rest of a mail may be whatever somebody wrote.
  subjectLength: count(
    2_000,
    'Characters of a subject that a monitoring tool is recognised by',
    'The mail is read as from an unknown tool',
  ),
  mailTextLength: count(
    32 * KIB,
    'Characters of a mail that a monitoring tool is recognised by',
    'The rest is ignored',
  ),
  // What a notice shows of the details.
  detailsStored: count(
    4_000,
    'Characters of an incident’s details, beyond the storage budget of its integration (`PAGER_EVENT_STORAGE_MIB_PER_DAY`)',
    'Cut after the event was processed, and marked with …',
  ),
  linksStored: count(
    2_000,
    'Characters of an incident’s links, beyond the storage budget',
    'Further links are omitted',
  ),
  bodyStored: bytes(
    KIB,
    'Body of an event, of a mail its text, beyond the storage budget',
    'Cut after the event was processed; the event log shows how large it was',
  ),
  alertsStored: count(
    20,
    'Alerts of an event whose outcomes are in the event log, beyond the storage budget',
    'Those of further alerts are omitted from the log',
  ),
  requestStored: count(
    500,
    'Characters of path, query and headers of an event each, of a mail of its subject and headers each, beyond the storage budget',
    'Cut; further headers are omitted',
  ),
  undecidedBytes: bytes(
    32 * 1024 * KIB,
    'Bodies of events of one integration that are stored and not processed yet, beyond the storage budget',
    '429, or 503 for types whose tool retries only on that; a mail gets 451',
  ),
  decidedUpTo: count(
    1_000,
    'Alerts waiting, up to which events are processed before they are answered',
    'Events are stored, answered with `accepted`, and processed right after',
  ),
  decidedAlone: count(
    7_000,
    'The same of one event alone, of which 8 KiB count as an alert',
    'The same',
  ),
  batch: count(
    500,
    'Alerts processed in one transaction, unless one event contains more',
    'They are processed in several',
  ),
  lanes: count(2, 'Transactions that process alerts at once', 'More alerts wait'),
  handshake: bytes(
    16 * KIB,
    'Body of a request by which a service asks whether an address takes events',
    'It counts as an event',
  ),
  certificateTime: milliseconds(
    2_000,
    'Time to fetch a certificate that a message of Amazon SNS names',
    'Its signature is not checked, and the message is taken',
  ),
  certificatesAtOnce: count(8, 'Such certificates fetched at once', 'The same'),
  certificateAgain: seconds(
    60,
    'Time for which one that could not be fetched is not fetched again',
    'The same',
  ),
  certificateBytes: bytes(16 * KIB, 'Bytes of such a certificate', 'Cut'),
  // With the certificate it ends before Amazon SNS gives up, after 15 seconds.
  confirmationTime: milliseconds(
    8_000,
    'Time to confirm a subscription to a topic of Amazon SNS',
    '503: it is sent again',
  ),
  confirmationsAtOnce: count(16, 'Subscriptions confirmed at once', '503: it is sent again'),
  readAgain: count(
    5_000,
    'Stored events of an integration that are read again when keys of 0.1.0 are exchanged',
    'Incidents of older ones keep their key, and can still end',
  ),
  readAgainBytes: bytes(32 * MIB, 'Bodies of such events', 'The same'),
  exchangedIncidents: count(
    10_000,
    'Open incidents of an integration whose keys of 0.1.0 are exchanged',
    'Older ones keep their key, and can still end',
  ),
  changeHours: hours(
    24,
    'Time before an incident in which changes of its service are shown with it',
    'Earlier ones are not shown; a change that says that it is older counts as made when it came',
  ),
  tried: count(50, 'Headers of an event that a rule is tested on', '422'),
  triedCount: count(
    1_000_000,
    'Earlier incidents, and suppressed events, that a rule test assumes',
    '422',
  ),
} as const satisfies Limits;

export const eventsLimits = valuesOf(events);
