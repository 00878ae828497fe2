// Debian's Nagios and Icinga 2, which are given the results of checks and commands of operators by
// a named pipe, as their agents and their web interfaces give them, and write down what they know.
import { constants, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/engine/clock.ts';
import { eventually } from '../system/eventually.ts';
import { icinga2, nagios } from '../system/monitors.ts';
import { type Files, type Program, startProgram } from '../system/program-process.ts';
import type { Broken, Tool } from './pager.ts';

/** A host, or a service of it. */
export type Checked = { readonly host: string; readonly service?: string };

export type Naemon = AsyncDisposable &
  Tool & {
    /** A check found this: 0 is OK or UP, 1 a warning or DOWN, 2 critical. */
    submit(checked: Checked, state: number): Promise<void>;
    acknowledge(checked: Checked): Promise<void>;
    /** From now on, for so long. */
    downtime(checked: Checked, seconds: number): Promise<void>;
    /** Waits until it counts the host or service as in downtime, or no longer. */
    isInDowntime(checked: Checked, wanted: boolean): Promise<void>;
    /** Has it change until it counts as flapping; then its last state stays. */
    flaps(checked: Checked): Promise<void>;
    /** Stays in one state until it no longer counts as flapping. */
    settles(checked: Checked, state: number): Promise<void>;
  };

const services = ['disk', 'load', 'net', 'raid', 'swap', 'time'];

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const nagiosCommon = `  check_command none
  active_checks_enabled 0
  passive_checks_enabled 1
  max_check_attempts 1
  check_period 24x7
  notification_period 24x7
  notification_interval 0
  contacts pager
}`;
const nagiosObjects = `define timeperiod {
  timeperiod_name 24x7
  alias always
${days.map((day) => `  ${day} 00:00-24:00`).join('\n')}
}
define command {
  command_name none
  command_line /bin/true
}
${['db-1', 'db-2'].map((host) => `define host {\n  host_name ${host}\n  address 127.0.0.1\n${nagiosCommon}`).join('\n')}
${services.map((service) => `define service {\n  host_name db-1\n  service_description ${service}\n${nagiosCommon}`).join('\n')}
`;

/** The thresholds lie close together: it takes fewer results until something has settled. */
export const nagiosByPipe: Program = {
  ...nagios,
  files: {
    'objects.cfg': nagiosObjects,
    'nagios.cfg': `${nagios.files['nagios.cfg']?.replace('check_external_commands=0', 'check_external_commands=1')}
command_file={folder}/pipe
status_update_interval=1
enable_flap_detection=1
low_service_flap_threshold=19
high_service_flap_threshold=20
`,
  },
};

export const icinga2ByPipe: Program = {
  ...icinga2,
  files: {
    'icinga2.conf': `include <itl>
object NotificationComponent "notification" { }
object CheckerComponent "checker" { }
object ExternalCommandListener "command" {
  command_path = "{folder}/pipe"
}
object StatusDataWriter "status" {
  status_path = "{folder}/status"
  objects_path = "{folder}/objects"
  update_interval = 1s
}
object CheckCommand "none" {
  command = [ "/bin/true" ]
}
template Host "by-pipe" {
  check_command = "none"
  enable_active_checks = false
  max_check_attempts = 1
}
template Service "by-pipe" {
  check_command = "none"
  enable_active_checks = false
  max_check_attempts = 1
  enable_flapping = true
  flapping_threshold_low = 19
  flapping_threshold_high = 20
}
${['db-1', 'db-2'].map((host) => `object Host "${host}" {\n  import "by-pipe"\n}`).join('\n')}
${services.map((service) => `object Service "${service}" {\n  import "by-pipe"\n  host_name = "db-1"\n}`).join('\n')}
include "pager.conf"
`,
  },
};

export async function startNaemon(program: Program, guide: Files): Promise<Naemon> {
  const running = await startProgram(program, guide);
  const pipe = join(running.folder, 'pipe');
  const status = () => statusIn(join(running.folder, 'status'));
  const command = async (name: string, ...words: readonly (string | number)[]) => {
    // Only while it reads: else what is written would be lost.
    const file = await eventually('it reads commands', () =>
      open(pipe, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => null),
    );
    await file.write(`[${secondsNow()}] ${[name, ...words].join(';')}\n`);
    await file.close();
  };
  const one = async (checked: Checked) => {
    return (await status()).find((row) => isAbout(row, checked)) ?? {};
  };
  let results = 0;
  const submit = async (checked: Checked, state: number) => {
    results += 1;
    const text = `result ${results}`;
    await command(...resultOf(checked), state, text);
    await eventually(
      () => `it has taken ${text} of ${nameOf(checked)}`,
      async () => (await one(checked))['plugin_output'] === text,
    );
  };
  const isFlapping = async (checked: Checked) => (await one(checked))['is_flapping'] === '1';
  return {
    submit,
    async broken() {
      return (await status()).filter(isBroken).map(brokenOf);
    },
    acknowledge: (checked) =>
      command(...wordsOf('ACKNOWLEDGE', 'PROBLEM', checked), 1, 1, 0, 'ops', 'seen'),
    async downtime(checked, seconds) {
      const from = secondsNow();
      const words = wordsOf('SCHEDULE', 'DOWNTIME', checked);
      await command(...words, from, from + seconds, 1, 0, seconds, 'ops', 'works');
    },
    async isInDowntime(checked, wanted) {
      await eventually(`${nameOf(checked)} is ${wanted ? '' : 'not '}in downtime`, async () => {
        const depth = Number((await one(checked))['scheduled_downtime_depth'] ?? 0);
        return depth > 0 === wanted;
      });
    },
    async flaps(checked) {
      for (let turn = 0; !(await isFlapping(checked)); turn += 1) {
        if (turn > 30) throw new Error(`${nameOf(checked)} does not flap`);
        await submit(checked, turn % 2 === 0 ? 2 : 0);
      }
    },
    async settles(checked, state) {
      for (let turn = 0; await isFlapping(checked); turn += 1) {
        if (turn > 40) throw new Error(`${nameOf(checked)} does not settle`);
        await submit(checked, state);
      }
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

const secondsNow = (): number => Math.floor(systemClock.now().epochMilliseconds / 1_000);

export const nameOf = ({ host, service }: Checked): string =>
  service === undefined ? host : `${host} | ${service}`;

const resultOf = ({ host, service }: Checked): readonly [string, ...string[]] =>
  service === undefined
    ? ['PROCESS_HOST_CHECK_RESULT', host]
    : ['PROCESS_SERVICE_CHECK_RESULT', host, service];

const wordsOf = (
  verb: string,
  what: string,
  { host, service }: Checked,
): readonly [string, ...string[]] =>
  service === undefined ? [`${verb}_HOST_${what}`, host] : [`${verb}_SVC_${what}`, host, service];

type Row = Readonly<Record<string, string>>;

/** The hosts and services of a file of status, which both of them write in the form of Nagios. */
async function statusIn(file: string): Promise<readonly Row[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const blocks = text.matchAll(/^(?:host|service)status \{\n(.*?)\n\s*\}$/gms);
  return [...blocks].map(([, block = '']) =>
    Object.fromEntries(
      block.split('\n').map((line) => {
        const [name = '', ...value] = line.trim().split('=');
        return [name, value.join('=')];
      }),
    ),
  );
}

const isAbout = (row: Row, { host, service }: Checked): boolean =>
  row['host_name'] === host && row['service_description'] === service;

/** What flaps is a problem, in whatever state it is. */
const isBroken = (row: Row): boolean =>
  row['has_been_checked'] === '1' && (row['current_state'] !== '0' || row['is_flapping'] === '1');

/** Both name a service as Pager does, whose key is the host and the service. */
function brokenOf({ host_name: host = '', service_description: service }: Row): Broken {
  const name = nameOf({ host, ...(service !== undefined && { service }) });
  return { name, key: name };
}
