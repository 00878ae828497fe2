// A provider's process as Terraform starts it, spoken to by gRPC's own client.
import { type ChildProcess, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Client, credentials } from '@grpc/grpc-js';
import { selfSigned } from '../../src/terraform/protocol/certificate.ts';
import { providerService } from '../../src/terraform/protocol/messages.ts';
import { type Draft, decode, encode, type Message } from '../../src/terraform/protocol/protobuf.ts';

const program = join(import.meta.dirname, '..', '..', 'bin', 'terraform-provider-pager.ts');
const terraform = selfSigned(Date.now());

/** What Terraform says to a plugin by the environment. */
export const pluginEnvironment = {
  TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
  PLUGIN_PROTOCOL_VERSIONS: '5,6',
  PLUGIN_CLIENT_CERT: terraform.pem,
};

export class PluginProcess implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #exit: Promise<unknown[]>;
  readonly #lines: AsyncIterator<string>;
  readonly errors: Promise<string>;

  constructor(environment: NodeJS.ProcessEnv, args: readonly string[] = []) {
    const child = spawn(process.execPath, [program, ...args], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    this.#exit = once(child, 'exit');
    this.#lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    this.errors = text(child.stderr);
  }

  /** The next line of standard output; empty at its end. */
  async line(): Promise<string> {
    const { value, done } = await this.#lines.next();
    return done ? '' : value;
  }

  async exitCode(): Promise<unknown> {
    const [code, signal] = await this.#exit;
    return code ?? signal;
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#exit;
  }
}

/** A client of the plugin that has said this line, as Terraform or as somebody else. */
export function clientOf(handshake: string, as = terraform): Client {
  const [, , , address = '', , certificate = ''] = handshake.split('|');
  if (certificate === '') return new Client(address, credentials.createInsecure());
  const pem = new X509Certificate(Buffer.from(certificate, 'base64')).toString();
  const tls = [pem, as.key, as.pem].map((each) => Buffer.from(each)) as [Buffer, Buffer, Buffer];
  return new Client(address, credentials.createSsl(...tls), {
    'grpc.ssl_target_name_override': 'localhost',
  });
}

/** Calls a method of the provider. */
export function callUnary<Name extends keyof typeof providerService>(
  client: Client,
  name: Name,
  request: Draft<(typeof providerService)[Name]['request']>,
): Promise<Message<(typeof providerService)[Name]['response']>> {
  const method = providerService[name];
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      `/tfplugin6.Provider/${name}`,
      (draft) => encode(method.request, draft),
      (bytes) => decode(method.response, bytes),
      request,
      (error, reply) => (reply ? resolve(reply) : reject(error)),
    );
  });
}

/** Calls a method that says nothing and is told nothing. */
export function call(client: Client, path: string): Promise<void> {
  const nothing = () => Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, nothing, nothing, {}, (error) =>
      error ? reject(error) : resolve(),
    );
  });
}
