// Debian's Monit with a program, and with a host of two ports, each of which it checks by itself.

import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { request } from '../system/api-client.ts';
import { freePort } from '../system/free-port.ts';
import { monit } from '../system/monitors.ts';
import { type Files, type Program, startProgram } from '../system/program-process.ts';
import type { Broken, Tool } from './pager.ts';

/** How its events arrive: as an M/Monit would get them, or by a script that each rule runs. */
export type Way = 'as M/Monit' | 'by a script';

export type Monit = AsyncDisposable &
  Tool & {
    readonly ports: readonly [number, number];
    /** Whether its program fails, from now on. */
    programFails(fails: boolean): Promise<void>;
    /** Whether somebody listens at a port of its host. */
    listens(port: number, listens: boolean): Promise<void>;
    nameOfPort(port: number): string;
  };

const script = 'exec "{folder}/pager.sh" else if succeeded then exec "{folder}/pager.sh"';

const programFor = (way: Way, own: number, ports: readonly number[]): Program => {
  const reaction = way === 'by a script' ? script : 'alert';
  return {
    ...monit,
    files: {
      'pager.monitrc': '',
      monitrc: `set daemon 1
set pidfile {folder}/pid
set statefile {folder}/state
set idfile {folder}/id
set httpd port ${own} use address 127.0.0.1 allow localhost
include {folder}/pager.monitrc
check program disk with path "/bin/sh {folder}/check"
  if status != 0 then ${reaction}
check host web with address 127.0.0.1
${ports.map((port) => `  if failed port ${port} then ${reaction}`).join('\n')}
`,
    },
  };
};

export async function startMonit(way: Way, guide: Files): Promise<Monit> {
  await using stack = new AsyncDisposableStack();
  const own = await freePort();
  const ports = [await freePort(), await freePort()] as const;
  const listeners = new Map<number, Server>();
  const listens = async (port: number, wanted: boolean) => {
    const server = listeners.get(port);
    if (wanted && server === undefined) listeners.set(port, await listenAt(port));
    if (wanted || server === undefined) return;
    listeners.delete(port);
    await new Promise((closed) => server.close(closed));
  };
  stack.defer(async () => {
    for (const port of ports) await listens(port, false);
  });
  for (const port of ports) await listens(port, true);
  const check = 'exit "$(cat {folder}/code)"';
  const files = { ...guide, check, code: '0' };
  const running = stack.use(await startProgram(programFor(way, own, ports), files));
  const all = stack.move();
  return {
    ports,
    listens,
    programFails: (fails) => writeFile(join(running.folder, 'code'), fails ? '2' : '0'),
    nameOfPort: portName,
    async broken() {
      const { body } = await request(`http://127.0.0.1:${own}/_status?format=xml`);
      return brokenIn(body, way);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

async function listenAt(port: number): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => undefined).end());
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return server;
}

const portName = (port: number): string => `web [127.0.0.1]:${port}`;

/** The bits of its states of a service. */
const bits = { connection: 0x20, program: 0x200000 } as const;

/** Of its own status: its key is its id or host, the service, the kind of rule, and what that names. */
function brokenIn(xml: string, way: Way): readonly Broken[] {
  const within = (text: string, name: string) =>
    new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(text)?.[1] ?? '';
  const asMmonit = way === 'as M/Monit';
  const monitor = within(xml, asMmonit ? 'id' : 'localhostname');
  const services = [...xml.matchAll(/<service .*?<\/service>/gs)].map(([text]) => text);
  return services.flatMap((text): Broken[] => {
    const [service, status] = [within(text, 'name'), Number(within(text, 'status'))];
    const kinds = asMmonit ? [`${bits.connection}`, `${bits.program}`] : ['Connection', 'Status'];
    const keyOf = (...parts: readonly (string | undefined)[]) =>
      [monitor, service, ...parts].join(' | ');
    const ports = [...text.matchAll(/<port>.*?<\/port>/gs)]
      .map(([port]) => port)
      .filter((port) => Number(within(port, 'responsetime')) < 0)
      .map((port) => Number(within(port, 'portnumber')))
      .map((port) => ({ name: portName(port), key: keyOf(kinds[0], `[127.0.0.1]:${port}`) }));
    return [
      ...ports,
      ...((status & bits.program) > 0 ? [{ name: service, key: keyOf(kinds[1]) }] : []),
    ];
  });
}
