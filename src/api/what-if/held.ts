// The configurations that a worker thread holds from one story to the next, each as of one version.
import { type Configuration, recordKinds } from '../../incidents/configuration.ts';
import { computingLimits } from '../../limits/computing.ts';
import { withSchedules } from '../../what-if/proposals.ts';
import type { Ask } from '../../workers/answering.ts';
import type { ConfigurationAnswers, Head, Portion } from './given.ts';

/** By organisation; the one used last is the last, and stays however large it is. */
const held = new Map<string, Configuration>();

export async function configurationOf(ask: Ask<ConfigurationAnswers>): Promise<Configuration> {
  const head = await ask('head', null);
  const known = held.get(head.organization_id);
  const current = known?.version === head.version ? known : await readAll(head, ask);
  keep(current);
  const schedules = await readRecords(() => ask('schedules', null));
  return withSchedules(current, schedules.schedules);
}

async function readAll(head: Head, ask: Ask<ConfigurationAnswers>): Promise<Configuration> {
  return { ...head, ...(await readRecords(() => ask('records', null))) };
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
  held.delete(id);
  held.set(id, configuration);
  let records = [...held.values()].reduce((sum, one) => sum + sizeOf(one), 0);
  for (const [oldest, one] of held) {
    if (records <= computingLimits.recordsCached || oldest === id) return;
    held.delete(oldest);
    records -= sizeOf(one);
  }
}

const sizeOf = (configuration: Configuration): number =>
  recordKinds.reduce((sum, kind) => sum + configuration[kind].size, 0);
