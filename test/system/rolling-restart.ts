// Two servers behind balancers, restarted one after another while events arrive.
import assert from 'node:assert/strict';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Balancer, SERVER_HEADER } from './balancers.ts';
import { eventually } from './eventually.ts';
import {
  createInstallation,
  type Installation,
  type ServerProcess,
  type Settings,
} from './server-process.ts';

export type Answer = {
  /** Of a connection that fails, the message of its error. */
  readonly status: number | string;
  readonly headers: IncomingHttpHeaders;
  readonly milliseconds: number;
};

type Restart = {
  /** Those that the servers share. */
  readonly settings: Settings;
  readonly balancers: readonly ((servers: readonly string[]) => Promise<Balancer>)[];
  /** Through each of the balancers. */
  readonly senders: number;
  /** Of each sender, after an answer. */
  readonly pauseMilliseconds: number;
};

/** Answers between two restarts. */
const BETWEEN = 100;

/** What all events were answered. */
export async function restartInTurn(restart: Restart): Promise<readonly Answer[]> {
  await using stack = new AsyncDisposableStack();
  const installations: Installation[] = [];
  const servers: ServerProcess[] = [];
  for (const _ of [1, 2]) {
    const installation = stack.use(await createInstallation(restart.settings));
    installations.push(installation);
    servers.push(await installation.start());
  }
  const addresses = servers.map(({ url }) => new URL(url).host);
  const balancers: Balancer[] = [];
  for (const start of restart.balancers) balancers.push(stack.use(await start(addresses)));
  const [integration] = (await servers[0]?.api.list('integrations')) ?? [];
  const path = new URL(integration.webhook_url).pathname;
  for (const address of addresses) await reached(balancers, address);

  const load = startSending(balancers, path, restart);
  for (const [nth, installation] of installations.entries()) {
    await load.more(BETWEEN);
    const server = servers[nth] ?? assert.fail();
    assert.equal(await server.stop(), 0, server.output());
    await installation.start();
    await reached(balancers, addresses[nth] ?? '');
  }
  await load.more(BETWEEN);
  return await load.stop();
}

/** Until each balancer sends requests to that server. */
async function reached(balancers: readonly Balancer[], address: string): Promise<void> {
  using agent = keepAliveAgent();
  for (const { url } of balancers)
    await eventually(`${url} reaches ${address}`, async () => {
      const { status, headers } = await sent(agent, `${url}/readyz`);
      return status === 200 && headers[SERVER_HEADER] === address;
    });
}

function startSending(
  balancers: readonly Balancer[],
  path: string,
  { senders, pauseMilliseconds }: Restart,
) {
  const answers: Answer[] = [];
  let isOver = false;
  const send = async ({ url }: Balancer, sender: number) => {
    using agent = keepAliveAgent();
    for (let nth = 0; !isOver; nth += 1) {
      answers.push(await sent(agent, `${url}${path}`, { title: `${sender} ${nth}` }));
      await pause(pauseMilliseconds);
    }
  };
  const sending = balancers.flatMap((balancer) =>
    Array.from({ length: senders }, (_, sender) => send(balancer, sender)),
  );
  return {
    async more(count: number) {
      const enough = answers.length + count;
      await eventually(`${count} more answers`, () => answers.length >= enough);
    },
    async stop() {
      isOver = true;
      await Promise.all(sending);
      return answers;
    },
  };
}

export const keepAliveAgent = (): Agent & Disposable =>
  Object.assign(new Agent({ keepAlive: true }), {
    [Symbol.dispose](this: Agent) {
      this.destroy();
    },
  });

export function sent(agent: Agent, url: string, body?: object): Promise<Answer> {
  const begun = performance.now();
  return new Promise((answered) => {
    const end = (status: Answer['status'], headers: IncomingHttpHeaders = {}) =>
      answered({ status, headers, milliseconds: performance.now() - begun });
    const headers = { 'content-type': 'application/json' };
    const method = body === undefined ? 'GET' : 'POST';
    const outgoing = request(url, { agent, method, headers }, (answer) => {
      answer.resume().once('end', () => end(answer.statusCode ?? 0, answer.headers));
    });
    outgoing.once('error', ({ message }) => end(message));
    outgoing.end(body && JSON.stringify(body));
  });
}
