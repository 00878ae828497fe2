// How Terraform and a provider find each other (HashiCorp's go-plugin): Terraform says by the
// environment what it speaks, and the provider answers with one line on its standard output.

const protocolVersion = 6;
const cookie = {
  name: 'TF_PLUGIN_MAGIC_COOKIE',
  value: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
} as const;

export type Handshake =
  /** The certificate that Terraform will prove itself by; null: without TLS. */
  | { readonly type: 'plugin'; readonly clientCertificate: string | null }
  | { readonly type: 'by hand' }
  | { readonly type: 'too old'; readonly versions: string };

export function readHandshake(environment: NodeJS.ProcessEnv): Handshake {
  if (environment[cookie.name] !== cookie.value) return { type: 'by hand' };
  const versions = environment['PLUGIN_PROTOCOL_VERSIONS'] ?? '';
  if (!versions.split(',').includes(String(protocolVersion))) return { type: 'too old', versions };
  return { type: 'plugin', clientCertificate: environment['PLUGIN_CLIENT_CERT'] ?? null };
}

/** The first line that Terraform reads. */
export function handshakeLine(port: number, certificate: Buffer | null): string {
  // Go's raw base64 has no padding.
  const encoded = certificate?.toString('base64').replaceAll('=', '') ?? '';
  return ['1', protocolVersion, 'tcp', `127.0.0.1:${port}`, 'grpc', encoded].join('|');
}

/** What a Terraform is given that shall use a provider which runs already. */
export function reattachLine(source: string, pid: number, port: number): string {
  const provider = {
    Protocol: 'grpc',
    ProtocolVersion: protocolVersion,
    Pid: pid,
    Test: true,
    Addr: { Network: 'tcp', String: `127.0.0.1:${port}` },
  };
  return `TF_REATTACH_PROVIDERS='${JSON.stringify({ [source]: provider })}'`;
}
