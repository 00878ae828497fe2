// Balancers of Debian in front of servers, configured as docs/operating.md shows.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { type Program, startProgram } from './program-process.ts';

export type Balancer = AsyncDisposable & { readonly url: string };

/** Shows in each answer which server it came from. */
export const SERVER_HEADER = 'x-server';

const documentation = join(import.meta.dirname, '..', '..', 'docs', 'operating.md');
/** The servers of the examples in the documentation. */
const EXAMPLES = ['10.0.0.1:8080', '10.0.0.2:8080'];

export const haproxy: Program = {
  binary: '/usr/sbin/haproxy',
  package: 'haproxy',
  files: {},
  words: ['-W', '-f', '{folder}/haproxy.cfg'],
  ready: /Loading success/,
};

export const nginx: Program = {
  binary: '/usr/sbin/nginx',
  package: 'nginx',
  files: {},
  words: ['-e', 'stderr', '-c', '{folder}/nginx.conf'],
  ready: /start worker process /,
};

/** Without what has it go to another server when one is gone: a restart must not need that. */
export async function startHaproxy(servers: readonly string[]): Promise<Balancer> {
  const port = await freePort();
  const backend = await documented('haproxy', servers);
  const configuration = `
global
    log stdout format raw local0
defaults
    mode http
    timeout connect 5s
    timeout client 50s
    timeout server 50s
frontend pager
    bind 127.0.0.1:${port}
    default_backend pager
${backend.replace('    option redispatch 1\n', '')}
    http-response set-header ${SERVER_HEADER} %si:%sp
`;
  return started(port, await startProgram(haproxy, { 'haproxy.cfg': configuration }));
}

export async function startNginx(servers: readonly string[]): Promise<Balancer> {
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const configuration = `
user root;
daemon off;
pid {folder}/nginx.pid;
error_log stderr notice;
events {}
http {
    access_log off;
    ${temporary.map((name) => `${name}_temp_path {folder}/${name};`).join(' ')}
    ${(await documented('nginx', servers)).replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)}
    add_header ${SERVER_HEADER} $upstream_addr always;
}
`;
  return started(port, await startProgram(nginx, { 'nginx.conf': configuration }));
}

const started = (port: number, running: AsyncDisposable): Balancer => ({
  url: `http://127.0.0.1:${port}`,
  [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
});

async function documented(language: string, servers: readonly string[]): Promise<string> {
  const text = await readFile(documentation, 'utf8');
  const [, block] = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(text) ?? [];
  assert.ok(block, `docs/operating.md has an example for ${language}`);
  return EXAMPLES.reduce((filled, example, nth) => {
    assert.ok(filled.includes(example), `${language}: ${example}`);
    return filled.replaceAll(example, servers[nth] ?? '');
  }, block);
}
