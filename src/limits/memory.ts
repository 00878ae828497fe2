import { count, type Limits, milliseconds, valuesOf } from './limit.ts';

/** Caches and counters in the memory of a server, each with a bound. */
export const memory = {
  configurations: count(
    2_000,
    'Organizations whose configuration is cached',
    'The least recently used one is evicted',
  ),
  records: count(1_000_000, 'Records in these cached configurations', 'The same'),
  tokens: count(
    10_000,
    'Integrations cached by their tokens, and as many by keys of other services',
    'All are evicted',
  ),
  tokensTime: milliseconds(5_000, 'How long these integrations are cached', 'They are read again'),
  knownSecrets: count(
    10_000,
    'Remembered valid tokens, keys and links, of each kind',
    'The next use is checked like the first',
  ),
  unknownKeys: count(
    100,
    'Unknown keys of other services’ clients that each server lists',
    'The key that was sent least often is forgotten',
  ),
  guessers: count(
    10_000,
    'Addresses whose guesses per second are counted, of each kind',
    'The count restarts',
  ),
  callers: count(
    10_000,
    'Callers whose rate is counted',
    'Callers below their limit are forgotten',
  ),
  signIns: count(
    20_000,
    'E-mail addresses and networks whose sign-in attempts are counted',
    'The oldest are forgotten',
  ),
  names: count(1_000, 'Host names whose addresses are cached', 'The oldest is evicted'),
  mailServers: count(
    100,
    'Mail servers of organizations to which SMTP connections are kept open',
    'Those of the least recently used one are closed',
  ),
  certificates: count(
    100,
    'Cached Amazon SNS certificates',
    'The least recently used one is evicted',
  ),
  recipients: count(1_000, 'Recipients known to respond quickly', 'The oldest counts as slow'),
  turns: count(
    10_000,
    'Organizations whose last processed integration is remembered',
    'The oldest is forgotten',
  ),
  storedReadings: count(
    20,
    'Stored events that were read in a worker thread and wait to be processed',
    'They are read again',
  ),
  zones: count(1_000, 'Time zones whose clock changes are cached', 'They are computed again'),
  zoneBlocks: count(2_000, 'Cached years of each time zone', 'They are computed again'),
} as const satisfies Limits;

export const memoryLimits = valuesOf(memory);
