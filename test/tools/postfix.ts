// Debian's Postfix as a relay in a folder of its own: it takes mails on one port of loopback and
// hands them to another, and is not the mail server of the machine.
import { execFile } from 'node:child_process';
import { access, chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { skipped } from '../skipped.ts';
import { eventually } from '../system/eventually.ts';
import { freePort } from '../system/free-port.ts';

const run = promisify(execFile);

export type Relay = AsyncDisposable & {
  /** Where it takes mails. */
  readonly port: number;
  /** What it has not delivered yet, and why: a line of JSON for each mail. */
  waiting(): Promise<readonly string[]>;
  /** Has it try all of that now. */
  flush(): Promise<void>;
};

/** Whether there is none, or it cannot run; says then that its test is left out. */
export async function isRelayMissing(t: TestContext): Promise<boolean> {
  const isThere = await access('/usr/sbin/postfix').then(
    () => true,
    () => false,
  );
  if (!isThere) t.skip(skipped('Postfix', 'apt-get install postfix, as "No configuration"'));
  else if (process.getuid?.() !== 0) t.skip(skipped('Postfix', 'run the tests as root'));
  else return false;
  return true;
}

type Certificate = { readonly key: string; readonly pem: string };

/**
 * `retrySeconds`: how long a mail waits after it was refused. With a certificate, it takes mails only
 * after STARTTLS.
 */
export async function startRelay(
  to: number,
  retrySeconds: number,
  certificate?: Certificate,
): Promise<Relay> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'pager-postfix-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const port = await freePort();
  const settings = join(folder, 'etc');
  await chmod(folder, 0o755);
  for (const name of ['etc', 'queue', 'data']) await mkdir(join(folder, name));
  const chain = join(settings, 'chain.pem');
  if (certificate) await writeFile(chain, certificate.key + certificate.pem);
  const encrypted = certificate ? encryptedBy(chain) : '';
  await writeFile(join(settings, 'main.cf'), mainFor(folder, { to, retrySeconds }) + encrypted);
  await writeFile(join(settings, 'master.cf'), masterFor(port));
  await chown(join(folder, 'data'), await userId('postfix'), 0);
  const log = () => readFile(join(folder, 'log'), 'utf8').catch(() => '');
  const postfix = async (verb: 'start' | 'stop') => {
    try {
      await run('/usr/sbin/postfix', ['-c', settings, verb]);
    } catch (cause) {
      throw new Error(`Postfix does not ${verb}: ${await log()}`, { cause });
    }
  };
  await postfix('start');
  stack.defer(() => postfix('stop'));
  const all = stack.move();
  return {
    port,
    async waiting() {
      const { stdout } = await run('/usr/sbin/postqueue', ['-c', settings, '-j']);
      return stdout.split('\n').filter((line) => line.includes('"queue_name"'));
    },
    async flush() {
      await run('/usr/sbin/postqueue', ['-c', settings, '-f']);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Waits until it has so many mails that it has not delivered. */
export async function holds(relay: Relay, mails: number): Promise<void> {
  let waiting: readonly string[] = [];
  await eventually(
    () => `the relay holds ${mails} mails: ${waiting.join('; ')}`,
    async () => {
      waiting = await relay.waiting();
      return waiting.length === mails;
    },
  );
}

type Manner = { readonly to: number; readonly retrySeconds: number };

/** One refusal puts off one mail: later ones to the same server are tried at once. */
const mainFor = (folder: string, { to, retrySeconds }: Manner): string => `compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
myhostname = relay.example.test
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
disable_dns_lookups = yes
relayhost = [127.0.0.1]:${to}
smtpd_relay_restrictions = permit_mynetworks, reject
smtp_destination_concurrency_failed_cohort_limit = 100
minimal_backoff_time = ${retrySeconds}s
maximal_backoff_time = ${retrySeconds}s
queue_run_delay = 1s
alias_maps =
alias_database =
local_recipient_maps =
`;

const encryptedBy = (chain: string): string => `smtpd_tls_security_level = encrypt
smtpd_tls_chain_files = ${chain}
`;

/** Name, kind, processes: the services that a relay needs. */
const masterFor = (port: number): string => `127.0.0.1:${port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
flush unix n - n 1000? 0 flush
tlsmgr unix - - n 1000? 1 tlsmgr
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
`;

async function userId(name: string): Promise<number> {
  const { stdout } = await run('id', ['-u', name]);
  return Number(stdout);
}
