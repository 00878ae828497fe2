import {
  bytes,
  count,
  KIB,
  type Limits,
  milliseconds,
  minutes,
  seconds,
  valuesOf,
} from './limit.ts';

/** Who follows what changes, and what they cost all others. */
export const eventStream = {
  streams: count(
    1_000,
    'Event streams at once. One organisation has at most as many as are left for the others',
    '429',
  ),
  streamsOfOne: count(3, 'Event streams at once of one session or API key', '429'),
  buffer: bytes(64 * KIB, 'Of one stream, not read yet by its reader', 'The stream is cut off'),
  time: minutes(15, 'Time of one event stream', 'It ends, and its reader continues in another'),
  interval: milliseconds(
    500,
    'Time between two reads of what changed',
    'Changes of that time are told together; nothing is read while nobody listens',
  ),
  ownInterval: milliseconds(
    100,
    'The same when this server itself changed something; with more than 100 streams a millisecond for each',
    'The same',
  ),
  heartbeat: seconds(15, 'Time without a hint after which a comment is sent', 'It is sent'),
  readersInterval: seconds(
    5,
    'Time after which it is read whether the reader of a stream may still read it',
    'The stream ends',
  ),
  hints: count(
    100,
    'Hints at once to one organisation',
    'One `reset` instead of them, then a pause',
  ),
  resetPause: seconds(5, 'That pause', 'Hints are sent again'),
  remembered: count(
    1_000,
    'Hints remembered of an organisation, for `Last-Event-ID`',
    'A reader who saw none of them begins with `reset`',
  ),
  rememberedTime: seconds(60, 'Time for which they are remembered when nobody listens', 'The same'),
  namedAtOnce: count(
    100,
    'Changed incidents that one notification to other servers names',
    'It names their organisations, whose readers get `reset`',
  ),
} as const satisfies Limits;

export const eventStreamLimits = valuesOf(eventStream);
