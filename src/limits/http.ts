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
    'Connections at once. One network (an IPv4 address or the first 64 bits of an IPv6 address) can have at most as many as it leaves free for the others, which is half of all while nobody else is connected. This does not apply to proxies in `PAGER_TRUST_PROXY`',
    'Closed without a response and counted by `pager_connections_refused_total`',
  ),
  headersTime: milliseconds(
    10_000,
    'Time for the headers of a request',
    '408, and the connection is closed',
  ),
  requestTime: milliseconds(
    30_000,
    'Time for a whole request',
    '408, and the connection is closed',
  ),
  readAhead: bytes(
    16 * KIB,
    'Bytes of a request that are read before its token or key is known',
    'The rest is not read yet',
  ),
  pathPart: count(4_096, 'Characters of one part of an address', '400'),
  compressedAnswer: bytes(
    KIB,
    'JSON response of the API that is sent uncompressed',
    'Compressed with gzip for clients that accept it',
  ),
  // 5,000 alerts as Alertmanager sends them are up to 8 MB.
  eventBody: bytes(
    8 * MIB,
    'Body of an event, before and after decompression',
    '413. The event log lists the event, the team’s admins are notified once an hour, and an incident is opened',
  ),
  unrecognisedBody: bytes(MIB, 'Body of an event with its key in the body', '413'),
  callbackBody: bytes(MIB, 'Body of a vendor’s request about a message or call', '413'),
  // Not every vendor repeats what was rejected: far above what people press at once.
  callbacks: count(
    1_000,
    'Such requests in progress, including the replies that are sent after the response. One organization can have at most as many as it leaves free for the others',
    '503 with `Retry-After: 1`. Most vendors repeat the request',
  ),
  callbackBytes: bytes(64 * MIB, 'Size of these requests, shared in the same way', 'The same'),
  // Less than half of the connections that also decide and send.
  callbacksHandled: count(
    4,
    'Messages, presses and receipts in these requests that are handled at once for one organization',
    'They wait',
  ),
  refusedBody: bytes(
    16 * KIB,
    'Body that is rejected before it is read, on a connection that stays open',
    'The connection is closed',
  ),
  // Some clients read the answer only when all is sent: as much as the largest body.
  refusedBytes: bytes(
    16 * MIB,
    'Bytes of a larger body that are discarded after the rejection, so that the sender receives the response',
    'The connection is closed at once',
  ),
  refusedTime: milliseconds(5_000, 'How long this takes', 'The same'),
  events: count(
    10_000,
    'Events being read or waiting to be stored. One integration can have at most as many as it leaves free for the others',
    '429 with `Retry-After: 1` before the body is read. An e-mail gets 451',
  ),
  eventBytes: bytes(
    128 * MIB,
    'Memory used by these events (bodies and parsed content), shared in the same way',
    'The same',
  ),
  unrecognised: count(
    1_000,
    'Events being read whose integration is not known yet because the key is in the body. One network (an IPv4 address or the first 64 bits of an IPv6 address) can have at most as many as it leaves free for the others',
    '429 before the body is read, in the format of the emulated service',
  ),
  unrecognisedBytes: bytes(32 * MIB, 'Size of these events, shared in the same way', 'The same'),
  smallBody: bytes(
    64 * KIB,
    'Body of an API request that counts as small. Every route accepts this size',
    'The request counts as large',
  ),
  // A policy of 50 steps with 2,000 people each, in JSON as programs write it.
  largeBody: bytes(
    16 * MIB,
    'Body of an API request: twice what its record can contain, and at most this size',
    '413',
  ),
  anyBody: bytes(
    MIB,
    'Body of an API request with arbitrary content, and of all other requests',
    '413',
  ),
  bodies: count(
    10_000,
    'API requests being read or answered. One organization can have at most as many as it leaves free for the others',
    '429',
  ),
  bodyBytes: bytes(
    64 * MIB,
    'Total size of the large ones among these, shared in the same way',
    '429',
  ),
  largeBytesAtOnce: bytes(
    32 * MIB,
    'Large bodies that Pager reads at once from one key or person after a pause',
    'The rest is read at the rate in the next row',
  ),
  largeBytesPerSecond: bytes(
    4 * MIB,
    'Large bodies that Pager then reads per second from one key or person',
    'The rest is read later',
  ),
  bodyPatience: milliseconds(20_000, 'How long a large body waits to be read', '429'),
  bodyDepth: count(64, 'Nesting depth of lists and objects in a request body', '400'),
  requestsPerSecond: count(200, 'API requests per second of one key or person', '429'),
  requestBurst: count(1_000, 'API requests of one key or person at once after a pause', '429'),
  refusalDelay: milliseconds(
    250,
    'Delay of a 429 response for one of these two limits, or for too many computations',
    'A client that retries at once gets at most four responses per second and connection',
  ),
  problemsListed: count(
    100,
    'Errors listed in one error response',
    'The list is truncated. The response contains the total number',
  ),
  problemsSearched: count(
    1_000,
    'Errors after which the validation of a request stops',
    'The rest is not validated',
  ),
  repeatableFor: hours(
    24,
    'How long a repeated request with the same `Idempotency-Key` gets the first response',
    'The request is executed again',
  ),
  repeatable: count(
    10_000,
    'Requests of one key or person with an `Idempotency-Key` in that time',
    '429 until the oldest has expired',
  ),
  // Far above what is answered for a hundred incidents.
  repeatableAnswer: bytes(
    32 * KIB,
    'Stored response to such a request. If the response is a record, Pager stores only its id and reads the record again',
    'The repeated request gets 409 `answer_lost`',
  ),
  repeatablePath: count(
    500,
    'Characters in the path of such a request',
    'Its `Idempotency-Key` is ignored, because no record has such a long path',
  ),
  repeatableRuns: seconds(
    60,
    'How long a request with an `Idempotency-Key` counts as running',
    'The next request with the same key is executed',
  ),
} as const satisfies Limits;

export const httpLimits = valuesOf(http);
