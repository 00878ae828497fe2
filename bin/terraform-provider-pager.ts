#!/usr/bin/env node
// Terraform's provider, started by Terraform; with --debug by hand, for a Terraform that is told.
import { writeSync } from 'node:fs';
import project from '../package.json' with { type: 'json' };
import { selfSigned } from '../src/terraform/protocol/certificate.ts';
import { type Routes, routesOf } from '../src/terraform/protocol/grpc.ts';
import { handshakeLine, readHandshake, reattachLine } from '../src/terraform/protocol/handshake.ts';
import { createLog, type Log } from '../src/terraform/protocol/log.ts';
import { providerService } from '../src/terraform/protocol/messages.ts';
import { serve } from '../src/terraform/protocol/serve.ts';
import { createProvider } from '../src/terraform/provider.ts';

const source = 'registry.terraform.io/pager/pager';

// Written at once, for what is said last before the process ends.
const print = (line: string) => writeSync(1, `${line}\n`);
const warn = (line: string) => writeSync(2, `${line}\n`);

async function main(): Promise<number> {
  const log = createLog(process.env, warn);
  const routes = () => routesOf('tfplugin6.Provider', providerService, provider(log));
  if (process.argv.includes('--debug')) return debug(routes);
  const handshake = readHandshake(process.env);
  switch (handshake.type) {
    case 'by hand':
      warn(`This is the provider ${source}. Terraform starts it; by hand it runs with --debug.`);
      return 1;
    case 'too old':
      // Terraform shows the first line of standard output, and nothing else, if it is not its own.
      print('The provider pager needs Terraform 1.3 or later, with plugin protocol 6.');
      return 1;
    case 'plugin':
      return plugin(routes(), handshake.clientCertificate, log);
  }
}

const provider = (log: Log) =>
  createProvider({
    log,
    environment: process.env,
    version: project.version,
    // As large as all the rest, and slow to load: only for configurations with routing rules.
    loadExpressions: async () => (await import('../src/rules/expression.ts')).compileExpression,
  });

async function plugin(routes: Routes, clientCertificate: string | null, log: Log): Promise<number> {
  // What ends the whole process group goes to Terraform too, which then tells us to stop. To end
  // before would lose the answers of what is being created.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => log('info', 'interrupted; Terraform will say what to do', { signal }));
  const own = clientCertificate === null ? null : selfSigned(Date.now());
  const tls = own && { key: own.key, cert: own.pem, ca: clientCertificate ?? '' };
  const { port, ended } = await serve(() => routes, tls);
  print(handshakeLine(port, own?.der ?? null));
  log('debug', 'serving', { version: project.version });
  await ended;
  return 0;
}

/** For any number of runs: Terraform connects anew wherever it would have started a provider. */
async function debug(routesFor: () => Routes): Promise<number> {
  const { port } = await serve(routesFor, null);
  print(`Set this for Terraform, and press Ctrl-C when done:\n`);
  print(reattachLine(source, process.pid, port));
  await new Promise((resolve) => process.once('SIGINT', resolve));
  return 0;
}

/** Terraform shows people what follows this word. */
function crash(error: unknown): void {
  warn(`panic: ${error instanceof Error ? error.stack : error}`);
  process.exit(2);
}

process.on('uncaughtException', crash);
// Work in progress and connections must not hold up a process that has been told to end.
main().then((code) => process.exit(code), crash);
