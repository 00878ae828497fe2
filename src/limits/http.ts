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

export const http = {
  // Of each no more is read ahead than 16 KiB: 64 MiB.
  connections: count(
    4_096,
    'Connections at once. One network (an address, of IPv6 the first 64 bits) has at most as many as are left for the others: half of all while nobody else is there. Proxies that `PAGER_TRUST_PROXY` names are not counted so',
    'Closed without a response; counted by `pager_connections_refused_total`',
  ),
  headersTime: milliseconds(
    10_000,
    'Time for the headers of a request',
    '408, and the connection ends',
  ),
  requestTime: milliseconds(30_000, 'Time for a whole request', '408, and the connection ends'),
  readAhead: bytes(
    16 * KIB,
    'Read of a request before its token or key is known',
    'The rest waits with its sender',
  ),
  pathPart: count(4_096, 'Characters of one part of an address', '400'),
  compressedAnswer: bytes(
    KIB,
    'JSON response of the API that is sent as it is',
    'Compressed by gzip, for clients that take it',
  ),
  // 5,000 alerts as Alertmanager sends them are up to 8 MB.
  eventBody: bytes(
    8 * MIB,
    'Body of an event, also when it is decompressed',
    '413; the log of events shows it, the team’s admins are notified once an hour, and an incident opens',
  ),
  unrecognisedBody: bytes(MIB, 'The same of one whose key stands in it', '413'),
  callbackBody: bytes(256 * KIB, 'Body of what a vendor sends about a message or call', '413'),
  refusedBody: bytes(
    16 * KIB,
    'Body that is refused before it is read, on a connection that stays open',
    'The connection ends',
  ),
  // Some clients read the answer only when all is sent: as much as the largest body.
  refusedBytes: bytes(
    16 * MIB,
    'Of a larger one, discarded after the refusal so that its sender receives it',
    'The connection ends at once',
  ),
  refusedTime: milliseconds(5_000, 'Time for that', 'The same'),
  events: count(
    10_000,
    'Events being read or waiting to be stored. One integration has at most as many as are left for the others',
    '429 with `Retry-After: 1` before the body is read, by mail 451',
  ),
  eventBytes: bytes(
    128 * MIB,
    'Memory of those events, shared in the same way: bodies and parsed content',
    'The same',
  ),
  unrecognised: count(
    1_000,
    'Events being read whose key stands in their body, so that their integration is not known yet. One network (an address, of IPv6 the first 64 bits) has at most as many as are left for the others',
    '429 before the body is read, in the form of the service that is stood in for',
  ),
  unrecognisedBytes: bytes(32 * MIB, 'Bodies of those events, shared in the same way', 'The same'),
  smallBody: bytes(
    64 * KIB,
    'Body of an API request that counts as small; every route accepts it',
    'It counts as large',
  ),
  // A policy of 50 steps with 2,000 people each, in JSON as programs write it.
  largeBody: bytes(
    16 * MIB,
    'Body of an API request: twice what its record can contain, and at most this',
    '413',
  ),
  anyBody: bytes(MIB, 'Body of an API request that may contain anything, and of all others', '413'),
  bodies: count(
    10_000,
    'Bodies of API requests being read or answered. One organisation has at most as many as are left for the others',
    '429',
  ),
  bodyBytes: bytes(64 * MIB, 'Large ones of them, all together, shared in the same way', '429'),
  largeBytesAtOnce: bytes(
    32 * MIB,
    'Large bodies that one key or person may send at once after a pause',
    'They are read at the pace of the next row',
  ),
  largeBytesPerSecond: bytes(
    4 * MIB,
    'Large bodies of one key or person that are read in a second, beyond that',
    'They wait unread, and so do their senders',
  ),
  bodyPatience: milliseconds(20_000, 'Time for a large body to wait for that', '429'),
  bodyDepth: count(64, 'Lists and objects within one another, in the body of a request', '400'),
  requestsPerSecond: count(200, 'API requests a second, of one key or person', '429'),
  requestBurst: count(1_000, 'API requests at once after a pause, of one key or person', '429'),
  refusalDelay: milliseconds(
    250,
    'Time for which the 429 of either, and of too many computations, is held back',
    'A client that repeats it at once gets no more than four a second per connection',
  ),
  problemsListed: count(
    100,
    'Mistakes that one refusal lists',
    'The list is truncated; the number of all mistakes is given',
  ),
  problemsSearched: count(
    1_000,
    'Mistakes in one request after which its validation ends',
    'The rest is not validated',
  ),
  repeatableFor: hours(
    24,
    'Time for which the same request with an `Idempotency-Key` gets the first answer',
    'It is executed again',
  ),
  repeatable: count(
    10_000,
    'Requests with an `Idempotency-Key` in that time, of one key or person',
    '429 until the oldest has expired',
  ),
  // Far above what is answered for a hundred incidents.
  repeatableAnswer: bytes(
    32 * KIB,
    'Response that is stored for it; of a record only the id is stored, and it is read again',
    'The repeated request is refused with 409 `answer_lost`',
  ),
  repeatablePath: count(
    500,
    'Characters of the path of such a request',
    'Its key is ignored: no path of a record is so long',
  ),
  repeatableRuns: seconds(
    60,
    'Time for which a request with an `Idempotency-Key` counts as running',
    'The next request with its key is executed',
  ),
} as const satisfies Limits;

export const httpLimits = valuesOf(http);
