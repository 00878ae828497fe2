// How long Terraform takes for a thousand records, beside as many resources of its own of the same
// shape, which know no API and start no provider.
import { readdirSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { startProxy } from '../test/terraform/proxy.ts';
import { noTerraform, Workspace } from '../test/terraform/terraform.ts';
import { quantile } from './load.ts';
import type { Report } from './report.ts';
import { benchKey, startBench } from './world.ts';

/** Turns of a plan; what changes records is done once, for it takes minutes. */
const plans = 3;
const common = ['-input=false', '-parallelism=50'];
const plan = ['plan', ...common];
const apply = ['apply', '-auto-approve', ...common];
const destroy = ['destroy', '-auto-approve', ...common];

type BlockFields = Readonly<Record<string, unknown>>;
/** By type and name, as Terraform's JSON has them. */
type Resources = Readonly<Record<string, Readonly<Record<string, BlockFields>>>>;

export async function measureRecords(report: Report): Promise<void> {
  if (noTerraform !== undefined) return report('Terraform records', 'left out: no Terraform here');
  await using bench = await startBench();
  await using proxy = await startProxy(`http://127.0.0.1:${bench.port}/api/v1`);
  const settings = { PAGER_API_KEY: benchKey, PAGER_BASE_URL: proxy.address };
  await using pager = await opened(settings);
  await using bare = await opened({});
  await rm(join(bare.folder, 'versions.tf'));
  async function inTurn(what: string, args: readonly string[], turns = 1): Promise<void> {
    const own: number[] = [];
    const beside: number[] = [];
    // In turn, for a machine's pace changes.
    for (let turn = 0; turn < turns; turn += 1) {
      own.push(await timed(pager, args));
      beside.push(await timed(bare, args));
    }
    const ratio = (median(own) / median(beside)).toFixed(2);
    const besides = `as many terraform_data: ${seconds(median(beside))}; ${ratio} times as long`;
    report(`Terraform: ${what}`, seconds(median(own)), besides);
  }
  async function configure(records: Resources): Promise<void> {
    await write(pager, records);
    await write(bare, withoutApi(records));
  }
  await configure(aThousand());
  await inTurn('1,000 records created', apply);
  await inTurn('1,000 records planned, refreshed', plan, plans);
  await inTurn('1,000 records planned, not refreshed', [...plan, '-refresh=false'], plans);
  const before = proxy.passed.length;
  const peak = await peakWhile(pager.folder, () => timed(pager, plan));
  const calls = proxy.passed.length - before;
  report('calls of the API in such a refresh', String(calls), `provider's memory: ${peak} MB`);
  await configure(changed(aThousand()));
  await inTurn('1,000 changes planned, with their effects', plan, plans);
  proxy.instead = ({ path }) => (isPreview(path) ? unknownRoute : undefined);
  await inTurn('1,000 changes planned, by an older server without effects', plan, plans);
  await inTurn('1,000 records changed', apply);
  await inTurn('1,000 records destroyed', destroy);
  await measureEffects(report, { pager, proxy });
}

type Effects = {
  readonly pager: Workspace;
  readonly proxy: Awaited<ReturnType<typeof startProxy>>;
};

/** 1,000 records, of which 200 schedules change: with their effects and, in turn, without. */
async function measureEffects(report: Report, { pager, proxy }: Effects): Promise<void> {
  const users = await usersAt(proxy.address);
  const records = (length: number): Resources => ({
    pager_oncall_schedule: many(200, (n) => ({
      name: `Schedule ${n}`,
      layers: [{ users, rotation: { length, unit: 'weeks' } }],
    })),
    pager_service: many(800, (n) => ({ name: `Service ${n}` })),
  });
  proxy.instead = () => undefined;
  await write(pager, records(1));
  await timed(pager, apply);
  await write(pager, records(2));
  const [withEffects, without]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < plans; turn += 1) {
    proxy.instead = () => undefined;
    withEffects.push(await timed(pager, plan));
    proxy.instead = ({ path }) => (isPreview(path) ? unknownRoute : undefined);
    without.push(await timed(pager, plan));
  }
  const ratio = (median(withEffects) / median(without)).toFixed(2);
  report(
    'Terraform: 1,000 records planned, 200 schedules change, with their effects',
    seconds(median(withEffects)),
    `without: ${seconds(median(without))}; ${ratio} times as long`,
  );
}

async function usersAt(address: string): Promise<readonly string[]> {
  const answer = await fetch(`${address}/users`, {
    headers: { authorization: `Bearer ${benchKey}` },
  });
  const { data } = (await answer.json()) as { readonly data: readonly { readonly id: string }[] };
  return data.slice(0, 2).map(({ id }) => id);
}

const isPreview = (path: string) => path === '/preview' || path === '/previews';

/** An older server's answer. */
const unknownRoute = {
  status: 404,
  body: { error: { code: 'unknown_route', message: 'There is no such route.' } },
};

/** Of each kind but schedules, which are read one by one. */
function aThousand(): Resources {
  const chat = { via: 'slack', webhook_url: 'https://chat.example.com/T0' };
  const step = { targets: [chat, chat], escalate_after_minutes: 5 };
  return {
    pager_service: many(300, (n) => ({ name: `Service ${n}`, description: 'One of many.' })),
    pager_escalation_policy: many(200, (n) => ({ name: `Policy ${n}`, steps: [step, step] })),
    pager_outbound_webhook: many(100, (n) => ({
      name: `Hook ${n}`,
      url: `https://hook.example.com/${n}`,
    })),
    pager_integration: many(300, (n) => ({
      slug: 'webhook',
      service_id: `\${pager_service.n${n}.id}`,
      escalation_policy_id: `\${pager_escalation_policy.n${n % 200}.id}`,
      auto_resolve: { after: 2, unit: 'days' },
    })),
    pager_alert_routing_rule: many(100, (n) => ({
      name: `Rule ${n}`,
      integration_ids: [`\${pager_integration.n${n}.id}`],
      condition_groups: [
        { conditions: [{ type: 'incidentPriority', comparator: 'equals', priority: 'p1' }] },
      ],
      actions: [
        { type: 'outboundWebhook', outbound_webhook_id: `\${pager_outbound_webhook.n${n}.id}` },
      ],
    })),
  };
}

const many = (count: number, fields: (n: number) => BlockFields) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, fields(n)]));

/** The same fields and references in Terraform's own resource. */
function withoutApi(records: Resources): Resources {
  const resources = Object.entries(records).flatMap(([type, named]) =>
    Object.entries(named).map(([name, input]) => [`${type}_${name}`, { input }]),
  );
  const text = JSON.stringify({ terraform_data: Object.fromEntries(resources) });
  return JSON.parse(text.replace(/(?<=\$\{)(pager_\w+)\.(\w+)/g, 'terraform_data.$1_$2'));
}

/** Each of them changed, in place. */
const changed = (resources: Resources): Resources =>
  JSON.parse(
    JSON.stringify(resources)
      .replace(/"name":"/g, '"name":"Renamed ')
      .replace(/"after":2/g, '"after":3'),
  );

const opened = (settings: NodeJS.ProcessEnv): Promise<Workspace> =>
  Workspace.open(dirname(process.execPath), settings);

const write = (workspace: Workspace, resource: Resources): Promise<void> =>
  writeFile(join(workspace.folder, 'main.tf.json'), JSON.stringify({ resource }));

/** Milliseconds of a command that has to succeed. */
async function timed(workspace: Workspace, args: readonly string[]): Promise<number> {
  const began = performance.now();
  const { code, errors } = await workspace.run(...args);
  if (code !== 0) throw new Error(`terraform ${args.join(' ')}: ${errors.slice(0, 500)}`);
  return performance.now() - began;
}

/** The most megabytes that a provider from that folder had while the work went on. */
async function peakWhile(folder: string, work: () => Promise<unknown>): Promise<number> {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, ...peaksOf(folder));
  }, 50);
  await work();
  clearInterval(timer);
  return Math.round(peak / 1_024);
}

const peaksOf = (folder: string) =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && read(`/proc/${pid}/cmdline`).includes(`${folder}/`))
    .map((pid) => Number(/^VmHWM:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0));

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process has ended meanwhile.
    return '';
  }
}

const median = (times: readonly number[]) =>
  quantile(
    times.toSorted((a, b) => a - b),
    0.5,
  );
const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(2)} s`;
