// The way to the API through what companies have before it: proxies, and certificates of their own.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import project from '../../package.json' with { type: 'json' };
import { selfSigned } from '../../src/terraform/protocol/certificate.ts';
import { anyDatabase } from '../database.ts';
import { skipped } from '../skipped.ts';
import { inProcessKey, startInProcess } from '../system/in-process.ts';
import { nodeFolders, noTerraform, Workspace } from './terraform.ts';

const root = join(import.meta.dirname, '..', '..');
const bun = join(root, 'release/node_modules/@oven/bun-linux-x64-baseline/bin/bun');
const noBun = existsSync(bun)
  ? undefined
  : skipped('the network of the executable provider', 'npm ci --prefix release (50 MB)');
const program = `terraform-provider-pager_v${project.version}`;
const [authority, own, stranger] = [1, 2, 3].map(() => selfSigned(Date.now()));

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Listening on a port, a server never has a path or nothing for an address.
  return (server.address() as AddressInfo).port;
}

/** The API behind TLS, which wants a certificate of the client, and a proxy with a password. */
async function startNetwork() {
  const stack = new AsyncDisposableStack();
  const api = stack.use(await startInProcess(await anyDatabase(), {}));
  const tls = createTlsServer(
    {
      key: authority?.key,
      cert: authority?.pem,
      ca: own?.pem,
      requestCert: true,
      rejectUnauthorized: true,
    },
    (request, response) => {
      const { method, headers, url } = request;
      const to = httpRequest(`${api.url}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      });
      request.pipe(to);
    },
  );
  const tlsPort = await listening(tls);
  const passed: string[] = [];
  const proxy = createHttpServer((request, response) => {
    const { method, headers, url = '' } = request;
    passed.push(url);
    const path = new URL(url).pathname + new URL(url).search;
    const to = httpRequest(`${api.url}${path}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    request.pipe(to);
  });
  proxy.on('connect', ({ url = '', headers }, socket) => {
    passed.push(url);
    socket.on('error', () => {});
    if (headers['proxy-authorization'] !== `Basic ${btoa('ada:secret')}`) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const to = connect(tlsPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      to.pipe(socket).pipe(to);
    });
    to.on('error', () => socket.destroy());
  });
  const proxyPort = await listening(proxy);
  stack.defer(() => {
    for (const server of [tls, proxy]) {
      server.closeAllConnections();
      server.close();
    }
  });
  return {
    passed,
    tlsPort,
    proxyPort,
    // With a dot at its end it is no name that is excepted from proxies.
    behindTls: `https://localhost.:${tlsPort}/api/v1`,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

for (const [build, missing] of [
  ['the file for Node', undefined],
  ['the executable', noBun],
] as const)
  describe(`${build}, before it a company’s network`, {
    skip: noTerraform ?? missing ?? false,
  }, () => {
    let at: Awaited<ReturnType<typeof startNetwork>>;
    let workspace: Workspace;
    const environment: NodeJS.ProcessEnv = { PAGER_API_KEY: inProcessKey };
    before(async () => {
      at = await startNetwork();
      workspace = await Workspace.open(nodeFolders[0] ?? '', environment);
      const files = { authority, own, stranger };
      for (const [name, made] of Object.entries(files)) {
        await writeFile(join(workspace.folder, `${name}.pem`), made?.pem ?? '');
        await writeFile(join(workspace.folder, `${name}.key`), made?.key ?? '');
      }
      if (build === 'the executable') await compile(join(workspace.folder, 'provider'));
    });
    after(async () => {
      await workspace[Symbol.asyncDispose]();
      await at[Symbol.asyncDispose]();
    });

    async function plan(provider: object, variables: NodeJS.ProcessEnv) {
      const configuration = {
        provider: { pager: { max_retries: 0, ...provider } },
        data: { pager_integration_types: { all: {} } },
      };
      await writeFile(join(workspace.folder, 'main.tf.json'), JSON.stringify(configuration));
      at.passed.length = 0;
      const { code, errors } = await workspace.runWith(variables, 'plan', '-input=false');
      return { code, text: errors.replace(/\s+/g, ' ') };
    }
    const certificates = {
      ca_cert_file: 'authority.pem',
      client_cert_file: 'own.pem',
      client_key_file: 'own.key',
    };
    const proxied = () => ({ HTTPS_PROXY: `http://ada:secret@127.0.0.1:${at.proxyPort}` });

    test('the API is reached through a proxy, with certificates of both sides', async () => {
      const base_url = at.behindTls;
      const { code, text } = await plan({ base_url, ...certificates }, proxied());
      assert.equal(code, 0, text);
      assert.deepEqual([...new Set(at.passed)], [`localhost.:${at.tlsPort}`]);
    });

    test('SSL_CERT_FILE and NO_PROXY are heeded', async () => {
      const { ca_cert_file: SSL_CERT_FILE, ...others } = certificates;
      const variables = { ...proxied(), SSL_CERT_FILE, NO_PROXY: 'localhost.' };
      const base_url = at.behindTls.replace('localhost.', 'localhost');
      const { code, text } = await plan({ base_url, ...others }, variables);
      assert.equal(code, 0, text);
      assert.deepEqual(at.passed, []);
    });

    test('an address without TLS is asked for at HTTP_PROXY', async () => {
      const variables = { HTTP_PROXY: `127.0.0.1:${at.proxyPort}` };
      const { code, text } = await plan({ base_url: 'http://pager.test/api/v1' }, variables);
      assert.equal(code, 0, text);
      assert.match(String(at.passed[0]), /^http:\/\/pager\.test\/api\/v1\//);
    });

    test('what fails on the way is named, without the password', async () => {
      const base_url = at.behindTls;
      const to = { base_url, ...certificates };
      const { ca_cert_file: _, ...withoutAuthority } = to;
      const { client_cert_file: _cert, client_key_file: _key, ...withoutOwn } = to;
      const dead = { HTTPS_PROXY: 'http://ada:secret@127.0.0.1:1' };
      const unnamed = { HTTPS_PROXY: `http://127.0.0.1:${at.proxyPort}` };
      const cases = [
        [
          to,
          dead,
          /through the proxy http:\/\/127\.0\.0\.1:1 \(HTTPS_PROXY\): the connection was refused/,
        ],
        [to, unnamed, /the proxy requires a user and a password \(407\)/],
        [to, { HTTPS_PROXY: 'socks5://127.0.0.1' }, /HTTPS_PROXY is not a valid proxy address/],
        [withoutAuthority, proxied(), /certificate is signed by an unknown authority/],
        [{ ...to, ca_cert_file: 'stranger.pem' }, proxied(), /signed by an unknown authority \(/],
        [withoutOwn, proxied(), /client_cert_file/],
        [
          { ...to, client_key_file: 'stranger.key' },
          {},
          /stranger\.key does not contain the key of own\.pem/,
        ],
        [{ ...to, ca_cert_file: 'none.pem' }, {}, /none\.pem cannot be read \(ENOENT\)/],
        [{ ...to, ca_cert_file: 'own.key' }, {}, /own\.key contains no PEM certificate/],
        [{ ...withoutOwn, client_key_file: 'own.key' }, {}, /client_key_file is set/],
      ] as const;
      for (const [provider, variables, expected] of cases) {
        const { code, text } = await plan(provider, variables);
        assert.equal(code, 1, String(expected));
        assert.match(text, expected);
        assert.doesNotMatch(text, /secret/);
      }
    });
  });

/** Terraform finds the executable alone in its folder. */
async function compile(folder: string): Promise<void> {
  const file = join(folder, `${program}.cjs`);
  const args = ['build', '--compile', '--bytecode', `--compile-executable-path=${bun}`];
  const flags = ['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'];
  const outfile = `--outfile=${join(folder, program)}`;
  await promisify(execFile)(bun, [...args, ...flags, outfile, file], { cwd: folder });
  await rm(file);
}
