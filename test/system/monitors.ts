// Debian's Monit, Nagios and Icinga as child processes, which check every second.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { installOldCurl } from '../old-curl.ts';
import { type Files, type Program, startProgram } from './program-process.ts';

export type Monitor = AsyncDisposable & {
  /** What its check finds from now on; nothing is wrong at first. */
  finds(problem: string): Promise<void>;
  /** It ran curl, which found nobody at first. */
  triedAgain(): Promise<void>;
};

/** Its first notifications find nobody who listens, by a curl of 7.61. */
const REFUSED = 3;

export async function startMonitor(program: Program, guide: Files): Promise<Monitor> {
  await using stack = new AsyncDisposableStack();
  const first = await mkdtemp(join(tmpdir(), 'pager-monitor-'));
  stack.defer(() => rm(first, { recursive: true, force: true }));
  const curl = await installOldCurl(first, REFUSED);
  const PATH = `${curl.folder}:${process.env['PATH']}`;
  // Read once: what is written between two looks would fail with no output, and Nagios, which sends
  // one notification of a state, would never send the text.
  const check = `found=$(cat {folder}/found); printf '%s\\n' "$found"; test -z "$found" || exit 2`;
  const env = { ...program.env, PATH };
  const running = stack.use(await startProgram({ ...program, env }, { ...guide, check }));
  await writeFile(join(running.folder, 'found'), '');
  const all = stack.move();
  return {
    finds: (problem) => writeFile(join(running.folder, 'found'), problem),
    async triedAgain() {
      assert.ok((await curl.calls()) > REFUSED);
      assert.match(await curl.log(), /not delivered yet/);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

const { uid, gid, username } = userInfo();

const monitrc = `set daemon 1
set pidfile {folder}/pid
set statefile {folder}/state
set idfile {folder}/id
include {folder}/pager.monitrc
check program disk with path "/bin/sh {folder}/check"
`;

const monitOf = (reaction: string): Program => ({
  binary: '/usr/bin/monit',
  package: 'monit',
  files: { monitrc: `${monitrc}${reaction}\n`, 'pager.monitrc': '' },
  folders: ['events'],
  words: ['-I', '-c', '{folder}/monitrc'],
  validate: ['-t', '-c', '{folder}/monitrc'],
  ready: /Monit \S+ started/,
});

/** That tells of all of its services. */
export const monit = monitOf('  if status != 0 then alert');

/** That runs the script of the guide. */
export const monitByScript = monitOf(
  '  if status != 0 then exec "{folder}/pager.sh" else if succeeded then exec "{folder}/pager.sh"',
);

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const checked = (command: string) => `  check_command ${command}
  check_interval 1
  retry_interval 1
  max_check_attempts 1
  check_period 24x7
  notification_period 24x7
  notification_interval 0
  contacts pager`;
const nagiosObjects = `define timeperiod {
  timeperiod_name 24x7
  alias always
${days.map((day) => `  ${day} 00:00-24:00`).join('\n')}
}
define command {
  command_name up
  command_line /bin/true
}
define command {
  command_name check
  command_line /bin/sh {folder}/check
}
define host {
  host_name db-1
  address 127.0.0.1
${checked('up')}
}
define host {
  host_name db-2
  address 127.0.0.2
${checked('check')}
}
define service {
  host_name db-1
  service_description disk
${checked('check')}
}
`;

export const nagios: Program = {
  binary: '/usr/sbin/nagios4',
  package: 'nagios4-core',
  files: {
    'objects.cfg': nagiosObjects,
    'nagios.cfg': `log_file={folder}/log
cfg_file={folder}/objects.cfg
cfg_file={folder}/pager.cfg
object_cache_file={folder}/objects
precached_object_file={folder}/precached
status_file={folder}/status
state_retention_file={folder}/retention
temp_file={folder}/temporary
temp_path={folder}
check_result_path={folder}/results
lock_file={folder}/pid
query_socket={folder}/query
check_external_commands=0
interval_length=1
host_inter_check_delay_method=n
service_inter_check_delay_method=n
check_result_reaper_frequency=1
cached_host_check_horizon=0
check_for_updates=0
use_syslog=0
nagios_user=${uid}
nagios_group=${gid}
illegal_macro_output_chars=\`~$&|'"<>
`,
  },
  folders: ['results'],
  words: ['{folder}/nagios.cfg'],
  validate: ['-v', '{folder}/nagios.cfg'],
  ready: /Registry request/,
};

const constants = ['Data', 'Log', 'Cache', 'Spool', 'InitRun'].flatMap((name) => [
  '-D',
  `${name}Dir={folder}/${name.toLowerCase()}`,
]);
const icingaWords = ['daemon', '-c', '{folder}/icinga2.conf', ...constants];

export const icinga2: Program = {
  binary: '/usr/sbin/icinga2',
  package: 'icinga2-bin',
  files: {
    'icinga2.conf': `include <itl>
object CheckerComponent "checker" { }
object NotificationComponent "notification" { }
object CheckCommand "up" {
  command = [ "/bin/true" ]
}
object CheckCommand "check" {
  command = [ "/bin/sh", "{folder}/check" ]
}
template Host "each-second" {
  check_interval = 1s
  retry_interval = 1s
  max_check_attempts = 1
}
template Service "each-second" {
  check_interval = 1s
  retry_interval = 1s
  max_check_attempts = 1
}
object Host "db-1" {
  import "each-second"
  check_command = "up"
}
object Host "db-2" {
  import "each-second"
  check_command = "check"
}
object Service "disk" {
  import "each-second"
  host_name = "db-1"
  check_command = "check"
}
include "pager.conf"
`,
  },
  folders: ['data', 'log', 'cache', 'spool', 'initrun'],
  words: icingaWords,
  validate: [...icingaWords, '-C'],
  // Else it becomes the user of its package.
  env: { ICINGA2_USER: username, ICINGA2_GROUP: await groupName() },
  ready: /Activated all objects/,
};

async function groupName(): Promise<string> {
  const groups = await readFile('/etc/group', 'utf8');
  const line = groups.split('\n').find((one) => one.split(':')[2] === String(gid));
  return line?.split(':')[0] ?? '';
}
