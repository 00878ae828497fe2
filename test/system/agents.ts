// Debian's snmptrapd and collectd as child processes, and what they are told.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from './eventually.ts';
import type { Program, Running } from './program-process.ts';

/** By TCP: a port of UDP is held by its test. */
export const snmptrapd = (port: number): Program => ({
  binary: '/usr/sbin/snmptrapd',
  package: 'snmptrapd snmp',
  files: {},
  words: ['-f', '-Lo', '-C', '-c', '{folder}/snmptrapd.conf', `tcp:127.0.0.1:${port}`],
  env: { MIBS: '', SNMP_PERSISTENT_DIR: '{folder}' },
  ready: /NET-SNMP version/,
});

/** Of the interface 7: linkDown or linkUp. */
export async function sendTrap(port: number, trap: 'linkDown' | 'linkUp'): Promise<void> {
  const oid = `.1.3.6.1.6.3.1.1.5.${trap === 'linkDown' ? 3 : 4}`;
  const place = ['-v2c', '-c', 'public', `tcp:127.0.0.1:${port}`, ''];
  const index = ['.1.3.6.1.2.1.2.2.1.1.7', 'i', '7'];
  const label = ['.1.3.6.1.2.1.2.2.1.2.7', 's', 'eth7'];
  await promisify(execFile)('snmptrap', [...place, oid, ...index, ...label], {
    env: { PATH: process.env['PATH'] ?? '', MIBS: '', SNMP_PERSISTENT_DIR: '/nonexistent' },
  });
}

async function connectTo(path: string): Promise<Socket> {
  const socket = connect(path);
  await once(socket, 'connect');
  return socket;
}

export const collectd: Program = {
  binary: '/usr/sbin/collectd',
  package: 'collectd-core libyajl2',
  files: {
    'collectd.conf': `Hostname "db-1"
BaseDir "{folder}"
PIDFile "{folder}/pid"
TypesDB "/usr/share/collectd/types.db"
Interval 1
LoadPlugin logfile
<Plugin logfile>
  LogLevel info
  File stdout
</Plugin>
LoadPlugin df
# Not of the disks of this machine.
<Plugin df>
  MountPoint "/nonexistent"
</Plugin>
LoadPlugin unixsock
<Plugin unixsock>
  SocketFile "{folder}/socket"
</Plugin>
Include "{folder}/pager.conf"
`,
  },
  words: ['-f', '-C', '{folder}/collectd.conf'],
  validate: ['-t', '-C', '{folder}/collectd.conf'],
  ready: /entering read-loop/,
};

/** Of the first disk of `db-1`. */
export async function putUsedPercent({ folder }: Running, percent: number): Promise<void> {
  // It is there a moment before it takes connections.
  const socket = await eventually('collectd takes connections', () =>
    connectTo(join(folder, 'socket')).catch(() => null),
  );
  socket.end(`PUTVAL "db-1/df-root/percent_bytes-used" interval=1 N:${percent}\n`);
  const [answer] = await once(socket, 'data');
  if (!/^0 Success/.test(String(answer))) throw new Error(`collectd answered ${answer}`);
}
