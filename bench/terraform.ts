// How soon the Terraform provider can be asked: Terraform starts it two to five times per command.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import project from '../package.json' with { type: 'json' };
import { pluginEnvironment } from '../test/terraform/plugin-process.ts';
import { quantile } from './load.ts';
import type { Report } from './report.ts';

const runs = 41;
/** What any provider on Node has to load. */
const bare = 'require("node:crypto"); require("node:http2"); console.log("ready")';

export async function measureTerraform(report: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pager-bench-'));
  const build = join(import.meta.dirname, '..', 'bin', 'build-provider.ts');
  execFileSync(process.execPath, [build, folder]);
  const provider = join(folder, `terraform-provider-pager_v${project.version}.cjs`);
  const own: number[] = [];
  const node: number[] = [];
  // In turn, for a machine's pace changes.
  for (let run = 0; run < runs; run += 1) {
    own.push(await firstLine([provider]));
    node.push(await firstLine(['--eval', bare]));
  }
  await rm(folder, { recursive: true });
  const ratio = (median(own) / median(node)).toFixed(2);
  const beside = `Node with HTTP/2 alone: ${ms(median(node))}; ${ratio} times as long`;
  report('Terraform provider started, to its handshake', `p50 ${ms(median(own))}`, beside);
}

/** Milliseconds until a program has said something. */
async function firstLine(args: readonly string[]): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    env: pluginEnvironment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  await once(child.stdout, 'data');
  const took = performance.now() - began;
  child.kill('SIGKILL');
  await exit;
  return took;
}

const ms = (value: number) => `${value.toFixed(1)} ms`;

const median = (times: readonly number[]) =>
  quantile(
    times.toSorted((a, b) => a - b),
    0.5,
  );
