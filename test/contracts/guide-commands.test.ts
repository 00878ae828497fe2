// The commands of guides, as they are written there: with a curl of 7.61 and plain sh they deliver
// each notification once, in order, after Pager was away, and give up in the end.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { tools } from '../../src/alerts/index.ts';
import { MAX_ALERTS } from '../../src/alerts/types/prometheus.ts';
import { eventsLimits } from '../../src/limits/events.ts';
import { httpLimits } from '../../src/limits/http.ts';
import { withAddresses } from '../../src/resources/guide-addresses.ts';
import { guideFile } from '../alert-reading.ts';
import { installOldCurl } from '../old-curl.ts';
import { skipped } from '../skipped.ts';
import { startWebhookServer, type WebhookServer } from '../webhook-server.ts';

/** What plugins and devices say has every character that a shell minds. */
const hostile = `50% "full"; it's $(touch pwned) \`touch pwned\` & | > pwned \\ @/etc/passwd ü`;
/** Nagios takes these out of what plugins say: illegal_macro_output_chars as it comes. */
const harmless = hostile.replace(/[`~$&|'"<>]/g, '');

type State = 'problem' | 'end';

/** How a tool runs what its guide has. */
type Invocation = {
  /** The words of the command. */
  readonly words: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
};

type Place = { readonly folder: string; readonly url: string };

type GuideCommand = {
  readonly slug: string;
  readonly name: string;
  /** Puts the files of the guide where the tool has them; answers how it runs a notification. */
  prepare(place: Place): Promise<(state: State) => Invocation | Promise<Invocation>>;
  /** What of the request tells its state. */
  readonly states: Readonly<Record<State, RegExp>>;
  /** What the plugin or device reports; it is in the request as it is. */
  readonly output: string;
};

async function install(
  place: Place,
  { slug, file, name = 'script' }: { slug: string; file: string; name?: string },
): Promise<string> {
  const path = join(place.folder, name);
  await writeFile(path, `${guideFile(slug, file, { '{url}': place.url })}\n`, { mode: 0o755 });
  return path;
}

/** The command_line of a command of Nagios, with its macros filled in, as Nagios gives it to sh. */
function nagiosLine(config: string, command: string, macros: Readonly<Record<string, string>>) {
  const joined = config.replace(/\\\n\s*/g, ' ');
  const [, block = ''] = new RegExp(`command_name +${command}\\n([^}]+)`).exec(joined) ?? [];
  const [, line = ''] = /command_line +(.+)/.exec(block) ?? [];
  return line.replace(/\$(\w+)\$/g, (_, name: string) => macros[name] ?? '');
}

const nagiosMacros = (state: State) => ({
  HOSTNAME: 'db-1',
  HOSTADDRESS: '192.0.2.1',
  SERVICEDESC: 'disk',
  NOTIFICATIONTYPE: state === 'problem' ? 'PROBLEM' : 'RECOVERY',
  HOSTSTATE: state === 'problem' ? 'DOWN' : 'UP',
  SERVICESTATE: state === 'problem' ? 'CRITICAL' : 'OK',
  HOSTOUTPUT: harmless,
  SERVICEOUTPUT: harmless,
  HOSTNOTESURL: 'https://wiki.example.com/?a=1&b=2',
  SERVICENOTESURL: 'https://wiki.example.com/?a=1&b=2',
});

const byNagios = (what: 'host' | 'service'): GuideCommand => ({
  slug: 'nagios',
  name: `Nagios, of a ${what}`,
  states: { problem: /notificationType=PROBLEM/, end: /notificationType=RECOVERY/ },
  output: harmless,
  async prepare(place) {
    await install(place, { slug: 'nagios', file: 'pager-send', name: 'pager-send' });
    const config = guideFile('nagios', 'pager.cfg', { '/usr/local/bin/': `${place.folder}/` });
    return (state) => ({
      words: ['/bin/sh', '-c', nagiosLine(config, `notify-${what}-by-pager`, nagiosMacros(state))],
    });
  },
});

/** The words that Icinga 2 runs, without a shell. */
function icingaWords(config: string, command: string, macros: Readonly<Record<string, string>>) {
  const [, block = ''] =
    new RegExp(`NotificationCommand "${command}" \\{([\\s\\S]+?)\\n\\}`).exec(config) ?? [];
  const listed = (text = '') =>
    Array.from(text.matchAll(/"([^"]*)"/g), ([, word = '']) =>
      word.replace(/\$([\w.]+)\$/g, (_, name: string) => macros[name] ?? ''),
    );
  const [, before] = /command = \[([^\]]+)\]/.exec(block) ?? [];
  const [, option = ''] = /"(--[\w-]+)" = \{ value = "\$pager_fields\$"/.exec(block) ?? [];
  const [, fields] = /vars\.pager_fields = \[([^\]]+)\]/.exec(block) ?? [];
  return [...listed(before), ...listed(fields).flatMap((field) => [option, field])];
}

const byIcinga = (what: 'host' | 'service'): GuideCommand => ({
  slug: 'icinga2',
  name: `Icinga 2, of a ${what}`,
  states: { problem: /notification_type=PROBLEM/, end: /notification_type=RECOVERY/ },
  output: hostile,
  async prepare(place) {
    await install(place, { slug: 'icinga2', file: 'pager-send', name: 'pager-send' });
    const file = '/etc/icinga2/conf.d/pager.conf';
    const config = guideFile('icinga2', file, { '/usr/local/bin/': `${place.folder}/` });
    return (state) => ({
      words: icingaWords(config, `pager-${what}`, {
        'notification.type': state === 'problem' ? 'PROBLEM' : 'RECOVERY',
        'host.name': 'db-1',
        'host.state': state === 'problem' ? 'DOWN' : 'UP',
        'host.output': hostile,
        'service.name': 'disk',
        'service.state': state === 'problem' ? 'CRITICAL' : 'OK',
        'service.output': hostile,
      }),
    });
  },
});

const byMonit: GuideCommand = {
  slug: 'monit',
  name: 'Monit',
  states: { problem: /MONIT_EVENT=Status\+failed/, end: /MONIT_EVENT=Status\+succeeded/ },
  output: hostile,
  async prepare(place) {
    const script = await install(place, { slug: 'monit', file: '/etc/monit/pager.sh' });
    return (state) => ({
      words: [script],
      env: {
        MONIT_HOST: 'db-1',
        MONIT_SERVICE: 'disk',
        MONIT_EVENT: state === 'problem' ? 'Status failed' : 'Status succeeded',
        MONIT_DESCRIPTION: hostile,
      },
    });
  },
};

const byCheckmk: GuideCommand = {
  slug: 'checkmk',
  name: 'Checkmk',
  states: { problem: /notification_type=PROBLEM/, end: /notification_type=RECOVERY/ },
  output: hostile,
  async prepare(place) {
    const file = '~/local/share/check_mk/notifications/pager';
    const script = await install(place, { slug: 'checkmk', file });
    return (state) => ({
      words: [script],
      env: {
        OMD_SITE: 'main',
        NOTIFY_WHAT: 'SERVICE',
        NOTIFY_NOTIFICATIONTYPE: state === 'problem' ? 'PROBLEM' : 'RECOVERY',
        NOTIFY_HOSTNAME: 'db-1',
        NOTIFY_SERVICEDESC: 'disk',
        NOTIFY_SERVICESTATE: state === 'problem' ? 'CRITICAL' : 'OK',
        NOTIFY_SERVICEOUTPUT: hostile,
      },
    });
  },
};

const byNetdata: GuideCommand = {
  slug: 'netdata',
  name: 'Netdata',
  states: { problem: /&status=CRITICAL/, end: /&status=CLEAR/ },
  output: hostile,
  async prepare(place) {
    const settings = await install(place, { slug: 'netdata', file: 'health_alarm_notify.conf' });
    return (state) => ({
      // Its notifier is a script of bash, which reads its settings so.
      words: ['bash', '-c', `info() { :; }; . '${settings}'; custom_sender pager`],
      env: {
        host: 'db-1',
        chart: 'disk_space._',
        name: 'disk_full',
        alarm_id: '7',
        status: state === 'problem' ? 'CRITICAL' : 'CLEAR',
        info: hostile,
      },
    });
  },
};

const bySnmptrapd: GuideCommand = {
  slug: 'snmptrap',
  name: 'snmptrapd',
  states: { problem: /\.1\.3\.6\.1\.6\.3\.1\.1\.5\.3\b/, end: /\.1\.3\.6\.1\.6\.3\.1\.1\.5\.4\b/ },
  output: hostile,
  async prepare(place) {
    const script = await install(place, { slug: 'snmptrap', file: 'pager-trap' });
    return (state) => ({
      words: [script],
      input: [
        'sw-1',
        'UDP: [192.0.2.1]:50000->[192.0.2.2]:162',
        `.1.3.6.1.6.3.1.1.4.1.0 .1.3.6.1.6.3.1.1.5.${state === 'problem' ? 3 : 4}`,
        `.1.3.6.1.2.1.31.1.1.1.18.7 "${hostile}"`,
        '.1.3.6.1.6.3.18.1.4.0 "secret community"',
        '',
      ].join('\n'),
    });
  },
};

const byWazuh: GuideCommand = {
  slug: 'wazuh',
  name: 'Wazuh',
  states: { problem: /"id":"5710"/, end: /"id":"5711"/ },
  output: hostile,
  async prepare(place) {
    const script = await install(place, { slug: 'wazuh', file: 'custom-pager' });
    return async (state) => {
      const alert = join(place.folder, 'an.alert');
      const rule = { level: 10, id: state === 'problem' ? '5710' : '5711', description: hostile };
      await writeFile(alert, JSON.stringify({ rule }));
      return { words: [script, alert, '', place.url] };
    };
  },
};

const commands: readonly GuideCommand[] = [
  ...[byNagios('host'), byNagios('service'), byIcinga('host'), byIcinga('service')],
  ...[byMonit, byCheckmk, byNetdata, bySnmptrapd, byWazuh],
];

type Run = AsyncDisposable & {
  readonly server: WebhookServer;
  /** Runs a notification; answers when the command, and what it left behind, has ended. */
  notify(state: State): Promise<{ readonly status: number | null; readonly all: Promise<void> }>;
  calls(): Promise<number>;
  log(): Promise<string>;
  /** Those that still wait for their turn, by the names of their files. */
  waiting(): Promise<readonly string[]>;
  readonly folder: string;
};

async function startRun(
  { prepare }: GuideCommand,
  { failures, shell, status = 202 }: { failures: number; shell: string; status?: number },
): Promise<Run> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'pager-guide-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const old = await installOldCurl(folder, failures);
  const server = stack.use(
    await startWebhookServer((_request, response) => response.writeHead(status).end()),
  );
  const files = join(folder, 'files');
  await mkdir(files);
  const temporary = join(folder, 'temporary');
  await mkdir(temporary);
  const invoke = await prepare({ folder: files, url: `${server.url}/hooks/x/push-events` });
  const all = stack.move();
  return {
    server,
    folder,
    calls: old.calls,
    log: old.log,
    async waiting() {
      const queues = (await readdir(temporary)).map((queue) => readdir(join(temporary, queue)));
      return (await Promise.all(queues)).flat();
    },
    async notify(state) {
      const { words, env = {}, input = '' } = await invoke(state);
      const [first = '', ...rest] = words;
      // What /bin/sh is differs between systems.
      const isScript = first.startsWith(folder);
      const child = spawn(isScript ? shell : first, isScript ? [first, ...rest] : rest, {
        cwd: folder,
        env: { PATH: `${old.folder}:${process.env['PATH']}`, TMPDIR: temporary, ...env },
        // The last one is open until the last process that came of it has ended.
        stdio: [input === '' ? 'ignore' : 'pipe', 'ignore', 'pipe', 'pipe'],
      });
      child.stdin?.end(input);
      const open = child.stdio[3];
      assert.ok(open);
      open.on('data', () => undefined);
      const ended = once(open, 'end').then(() => undefined);
      const [code] = await once(child, 'exit');
      return { status: code, all: ended };
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

for (const command of commands)
  for (const shell of ['sh', 'bash'])
    test(`${command.name}, by ${shell}: what was said while Pager was away arrives once, in order`, async () => {
      await using run = await startRun(command, { failures: 7, shell });
      const first = await run.notify('problem');
      const second = await run.notify('end');
      assert.deepEqual([first.status, second.status], [0, 0]);
      await Promise.all([first.all, second.all]);
      const bodies = run.server.received.map(({ body }) => body);
      assert.equal(bodies.length, 2, bodies.join('\n'));
      const [problem = '', end = ''] = bodies;
      assert.match(problem, command.states.problem);
      assert.match(end, command.states.end);
      const { output } = command;
      const inJson = JSON.stringify(output).slice(1, -1);
      const values = [...new URLSearchParams(problem).values()];
      const isIncluded =
        values.includes(output) || [output, inJson].some((text) => problem.includes(text));
      assert.ok(isIncluded, problem);
      assert.doesNotMatch(problem, /secret community/);
      assert.deepEqual(await run.waiting(), []);
      assert.match(await run.log(), /not delivered yet: curl: \(7\)/);
      await assert.rejects(access(join(run.folder, 'pwned')));
    });

for (const command of commands)
  test(`${command.name}: gives up in the end, and says so in the system log`, async () => {
    await using run = await startRun(command, { failures: 1_000, shell: 'sh' });
    await (await run.notify('problem')).all;
    assert.equal(await run.calls(), 60);
    assert.match(await run.log(), /-t pager lost: curl: \(7\)/);
    assert.deepEqual(run.server.received, []);
    assert.deepEqual(await run.waiting(), []);
  });

test('what Pager cannot read is not sent again; what it has no room for is', async () => {
  for (const [status, calls] of [
    [400, 1],
    [413, 1],
    [503, 60],
    [404, 60],
  ] as const) {
    await using run = await startRun(byMonit, { failures: 0, shell: 'sh', status });
    await (await run.notify('problem')).all;
    assert.equal(await run.calls(), calls);
    assert.match(await run.log(), new RegExp(`lost: ${status}`));
  }
});

test('a notification whose process was killed holds up nobody', async () => {
  await using run = await startRun(byMonit, { failures: 0, shell: 'sh' });
  await (await run.notify('problem')).all;
  const [queue = ''] = await readdir(join(run.folder, 'temporary'));
  const child = spawn('true');
  await once(child, 'exit');
  const turn = `${await problemOf('db-1/disk')}.10000001`;
  await writeFile(join(run.folder, 'temporary', queue, turn), `${child.pid}\n`);
  await (await run.notify('end')).all;
  assert.equal(run.server.received.length, 2);
  assert.deepEqual(await run.waiting(), []);
});

async function problemOf(name: string): Promise<string> {
  const child = spawn('cksum', { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.end(name);
  return (await child.stdout.toArray()).join('').trim().replace(' ', '-');
}

test('a curl of 7.61 refuses what came later, and takes what it has', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pager-curl-'));
  try {
    const old = await installOldCurl(folder, 1_000);
    const statusOf = async (...words: string[]) => {
      const child = spawn(join(old.folder, 'curl'), words, { stdio: 'ignore' });
      const [code] = await once(child, 'exit');
      return code;
    };
    for (const option of ['--retry-all-errors', '--fail-with-body', '--json', '--no-such', '-Z'])
      assert.equal(await statusOf(option, 'x', 'http://127.0.0.1:1/'), 2, option);
    const known = ['-fsSm', '20', '-o/dev/null', '--data-urlencode', '--json', '--retry', '3'];
    assert.equal(await statusOf(...known, 'http://127.0.0.1:1/'), 7);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('amtool accepts the configurations of Alertmanager in guides', async (t) => {
  const amtool = '/usr/bin/amtool';
  if (!existsSync(amtool))
    return t.skip(skipped('amtool', 'apt-get install prometheus-alertmanager'));
  const folder = await mkdtemp(join(tmpdir(), 'pager-amtool-'));
  try {
    const file = join(folder, 'alertmanager.yml');
    const texts = tools.flatMap(({ guide }) =>
      (guide.snippets ?? []).filter((one) => /^alertmanager\b.*yml$/.test(one.file)),
    );
    assert.ok(texts.length > 5);
    const url = `https://pager.example.com/hooks/${'a'.repeat(40)}/push-events`;
    for (const { text } of texts) {
      const whole = /^route:/m.test(text) ? text : `route: { receiver: pager }\n${text}`;
      await writeFile(file, withAddresses(whole, { url, email: 'a@example.com' }));
      execFileSync(amtool, ['check-config', file]);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a group of as many alerts as the guides allow fits into an event', () => {
  const eightKib = 8 * 1024;
  assert.ok(MAX_ALERTS <= eventsLimits.alerts);
  assert.ok(MAX_ALERTS * eightKib <= httpLimits.eventBody);
});

test('no guide has an option that curl 7.61 does not know', () => {
  const later = /--(?:retry-all-errors|fail-with-body|json|no-progress-meter|url-query|parallel)\b/;
  for (const { slug, guide } of tools)
    for (const text of [...guide.steps, ...(guide.snippets ?? []).map((one) => one.text)])
      assert.doesNotMatch(text, later, slug);
});

test('every guide whose tool runs curl is run here', () => {
  // Requests to try by hand.
  const byHand = ['webhook', 'cloudevents'];
  const slugs = tools
    .filter(({ guide }) => guide.snippets?.some(({ text }) => /\bcurl\b/.test(text)))
    .map(({ slug }) => slug)
    .filter((slug) => !byHand.includes(slug));
  assert.deepEqual(slugs.sort(), [...new Set(commands.map(({ slug }) => slug))].sort());
});
