// The configuration for a worker thread, which requests it in portions; secrets are replaced by
// fingerprints.
import { type Configuration, type RecordKind, recordKinds } from '../../incidents/configuration.ts';
import { isSealed } from '../../resources/declaration/field.ts';
import { once } from '../../resources/once.ts';
import {
  type PastConfiguration,
  readConfiguration,
} from '../../storage/configuration/past-configuration.ts';
import type { LedgerParts } from '../../storage/ledger/context.ts';
import { withFingerprint } from '../../storage/outbox/recipient-key.ts';
import type { Secrets } from '../../storage/sealed/secrets.ts';
import { mapped } from '../../workers/clone.ts';

/** How many are cloned at once, so that the engine's thread is not blocked. */
const RECORDS_AT_ONCE = 200;

/** All of a configuration but its records. */
export type Head = Omit<Configuration, RecordKind>;
export type Portion = {
  readonly kind: RecordKind;
  readonly records: readonly Entry[];
};
/** A record with its id. */
type Entry = readonly [string, unknown];

export type ConfigurationMethods = {
  /** Called first; the other methods answer of the same version. */
  readonly head: (params: null) => Promise<Head>;
  /** In portions; null at the end. */
  readonly records: (params: null) => Promise<Portion | null>;
  /** Schedules with their past, which replace those among the records; null at the end. */
  readonly schedules: (params: null) => Promise<Portion | null>;
};

export type Parts = Pick<LedgerParts, 'sql' | 'configurations' | 'secrets'>;
type ConfigurationQuery = Parameters<typeof readConfiguration>[1];

export function configurationMethods(
  parts: Parts,
  query: ConfigurationQuery,
): ConfigurationMethods {
  const read = once(() => readConfiguration(parts, query));
  const hide = hiding(parts.secrets, query.organizationId);
  async function* records() {
    const { configuration } = await read();
    for (const kind of recordKinds)
      for (const records of portionsOf<Entry>(configuration[kind])) yield { kind, records };
  }
  async function* schedules() {
    for (const records of portionsOf<Entry>((await read()).schedules))
      yield { kind: 'schedules' as const, records };
  }
  return {
    head: async () => hide(headOf(await read())),
    records: portionByPortion(records(), hide),
    schedules: portionByPortion(schedules(), hide),
  };
}

function headOf({ configuration }: PastConfiguration): Head {
  const { services, policies, integrations, webhooks, teams, people, schedules, ...head } =
    configuration;
  return head;
}

export function* portionsOf<T>(all: Iterable<T>): Generator<readonly T[]> {
  let portion: T[] = [];
  for (const one of all) {
    portion.push(one);
    if (portion.length < RECORDS_AT_ONCE) continue;
    yield portion;
    portion = [];
  }
  if (portion.length > 0) yield portion;
}

/** The next portion at each call; null at the end. */
export function portionByPortion<T>(all: AsyncIterator<T>, change = (one: T): T => one) {
  return async (_params: null): Promise<T | null> => {
    const { value, done } = await all.next();
    return done ? null : change(value);
  };
}

/** Replaces every sealed text in a value by its fingerprint. */
export function hiding(secrets: Secrets, organizationId: string) {
  const hidden = withFingerprint(secrets, organizationId);
  return <Value>(value: Value): Value =>
    mapped(value, (one) => (isSealed(one) ? hidden(one) : one)) as Value;
}
