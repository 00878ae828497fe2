// The configurations that a worker thread keeps between tasks, each of one version.
import { type Configuration, recordKinds } from '../../incidents/configuration.ts';
import { computingLimits } from '../../limits/computing.ts';
import { withSchedules } from '../../what-if/proposals.ts';
import type { RpcClient } from '../../workers/rpc.ts';
import type { ConfigurationMethods, Head, Portion } from './configuration-methods.ts';

/** By organization, least recently used first; the last one stays, however large it is. */
const cached = new Map<string, Configuration>();

export async function configurationOf(
  call: RpcClient<ConfigurationMethods>,
): Promise<Configuration> {
  const head = await call('head', null);
  const known = cached.get(head.organization_id);
  const current = known?.version === head.version ? known : await readAll(head, call);
  keep(current);
  const schedules = await readRecords(() => call('schedules', null));
  return withSchedules(current, schedules.schedules);
}

async function readAll(head: Head, call: RpcClient<ConfigurationMethods>): Promise<Configuration> {
  return { ...head, ...(await readRecords(() => call('records', null))) };
}

type Records = Omit<Configuration, keyof Head>;

async function readRecords(next: () => Promise<Portion | null>): Promise<Records> {
  const all = new Map(recordKinds.map((kind) => [kind, new Map<string, unknown>()]));
  for (let portion = await next(); portion !== null; portion = await next())
    for (const [id, record] of portion.records) all.get(portion.kind)?.set(id, record);
  // Cloned from such a configuration.
  return Object.fromEntries(all) as unknown as Records;
}

function keep(configuration: Configuration): void {
  const { organization_id: id } = configuration;
  cached.delete(id);
  cached.set(id, configuration);
  let records = [...cached.values()].reduce((sum, one) => sum + sizeOf(one), 0);
  for (const [oldest, one] of cached) {
    if (records <= computingLimits.recordsCached || oldest === id) return;
    cached.delete(oldest);
    records -= sizeOf(one);
  }
}

const sizeOf = (configuration: Configuration): number =>
  recordKinds.reduce((sum, kind) => sum + configuration[kind].size, 0);
