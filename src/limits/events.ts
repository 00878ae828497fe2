import { count, KIB, type Limits, valuesOf } from './limit.ts';

/** What is read of an event, and when it is decided. */
export const events = {
  alerts: count(5_000, 'Alerts in one event', '400; a mail is kept as `unreadable`'),
  links: count(50, 'Links of an alert', 'The first are taken'),
  linkLength: count(2_048, 'Characters of the address of a link', 'It is left out'),
  titleLength: count(200, 'Characters of a title', 'Cut, at a space where there is one'),
  keyLength: count(
    500,
    'Characters of a dedup key',
    'Its end is replaced by a digest of all of it',
  ),
  queryLength: count(4_096, 'Characters of the query of the address, as it is kept', 'Cut'),
  headerLength: count(1_024, 'Characters of a header, as it is kept', 'Cut'),
  // No tool's own words are longer; the rest of a mail may be whatever somebody wrote.
  subjectLength: count(
    2_000,
    'Characters of a subject that a monitoring tool is recognised by',
    'It counts as anybody’s mail',
  ),
  mailTextLength: count(
    32 * KIB,
    'Characters of a mail that a monitoring tool is recognised by',
    'The rest is not looked at',
  ),
  decidedUpTo: count(
    1_000,
    'Alerts that wait and are still decided before their event is answered',
    'Events are stored, answered with `accepted`, and decided right after',
  ),
  batch: count(
    500,
    'Alerts that are decided in one transaction, unless one event holds more',
    'They are decided in several',
  ),
  lanes: count(2, 'Transactions that decide at once', 'More alerts wait'),
  tried: count(50, 'Headers of an event that a rule is tried on', '422'),
  triedCount: count(
    1_000_000,
    'Earlier incidents, and suppressed events, that a tried rule supposes',
    '422',
  ),
} as const satisfies Limits;

export const eventsLimits = valuesOf(events);
