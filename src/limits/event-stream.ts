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
    'Event streams at once. One organization can have at most as many as it leaves free for the others',
    '429',
  ),
  streamsOfOne: count(3, 'Event streams at once of one session or API key', '429'),
  buffer: bytes(
    64 * KIB,
    'Data of one stream that its reader has not read yet',
    'The stream is closed',
  ),
  time: minutes(
    15,
    'Duration of one event stream',
    'The stream ends. The reader continues with a new one',
  ),
  interval: milliseconds(
    500,
    'Interval between two reads of changes',
    'Changes in that time are sent together. Nothing is read while nobody listens',
  ),
  ownInterval: milliseconds(
    100,
    'Interval after a change on this server. With more than 100 streams, one millisecond for each stream',
    'The same',
  ),
  heartbeat: seconds(15, 'Time without a hint before a comment is sent', 'The comment is sent'),
  readersInterval: seconds(
    5,
    'Interval between checks that the reader of a stream still has access',
    'Without access, the stream ends',
  ),
  hints: count(
    100,
    'Hints at once to one organization',
    'One `reset` instead of them, then a pause',
  ),
  resetPause: seconds(5, 'Duration of that pause', 'Hints are sent again'),
  remembered: count(
    1_000,
    'Remembered hints of an organization, for `Last-Event-ID`',
    'A reader who has seen none of them starts with `reset`',
  ),
  rememberedTime: seconds(60, 'How long they are remembered while nobody listens', 'The same'),
  namedAtOnce: count(
    100,
    'Changed incidents that one notification to other servers names',
    'It names their organizations instead, whose readers get `reset`',
  ),
} as const satisfies Limits;

export const eventStreamLimits = valuesOf(eventStream);
