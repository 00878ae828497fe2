import { count, type Limits, milliseconds, valuesOf } from './limit.ts';

/** What a server remembers in memory, so that it has a bound whoever comes. */
export const memory = {
  configurations: count(
    2_000,
    'Organisations whose configuration is held',
    'That of the one not asked for longest is read anew',
  ),
  records: count(1_000_000, 'Records in them', 'The same'),
  tokens: count(10_000, 'Integrations that are held by their tokens', 'They are read anew'),
  tokensTime: milliseconds(5_000, 'Time for which they are held', 'They are read anew'),
  knownSecrets: count(
    10_000,
    'Tokens, keys and links that were right, of each kind',
    'They count as strangers’ once',
  ),
  guessers: count(
    10_000,
    'Addresses whose guesses in a second are counted, of each kind',
    'They are counted anew',
  ),
  callers: count(
    10_000,
    'Callers whose rate is counted',
    'Those that are below their limit are forgotten',
  ),
  signIns: count(
    20_000,
    'E-mails and networks whose tried sign-ins are counted',
    'The oldest are forgotten',
  ),
  names: count(1_000, 'Names whose addresses are known', 'The oldest is forgotten'),
  recipients: count(1_000, 'Receivers that are known to be quick', 'The oldest counts as slow'),
  turns: count(
    10_000,
    'Organisations of which it is known whose stored event was decided last',
    'The oldest is forgotten',
  ),
  zones: count(
    1_000,
    'Time zones whose changes of the clock are known',
    'They are worked out anew',
  ),
  zoneBlocks: count(2_000, 'Years of each of them', 'They are worked out anew'),
} as const satisfies Limits;

export const memoryLimits = valuesOf(memory);
