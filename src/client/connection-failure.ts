// What the errors of a connection mean, and whether they may pass.
import { proxyAuthentication } from './answer.ts';
import type { ConnectionFailure } from './client.ts';
import { TimeoutError, TooLargeError } from './exchange.ts';

const passing: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  EAI_AGAIN: 'the host name could not be looked up',
};
const lasting: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name does not exist',
  EPROTO: 'it does not use TLS (check whether the address should be http instead of https)',
  CERT_HAS_EXPIRED: 'the server’s certificate has expired',
  CERT_NOT_YET_VALID: 'the server’s certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the server’s certificate is for another host',
  ERR_INVALID_CHAR: 'the API key contains characters that cannot be sent, such as a line break',
};

/** No authority that is known here has signed it. */
const unknownAuthority = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** After the request was sent, or may have been. */
const midway = new Set(['ECONNRESET', 'EPIPE', 'ABORT_ERR']);

export function connectionFailureOf(
  error: unknown,
  address: string,
  hasAnswered: boolean,
): ConnectionFailure {
  const code = codeOf(error);
  const mayBeDone = midway.has(code) || (error instanceof TimeoutError && error.isSent);
  const unreachable = (why: string, mayPass: boolean): ConnectionFailure => ({
    failure: { type: 'unreachable', address, why, ...(!mayPass && { isLasting: true }) },
    mayPass,
    mayBeDone,
  });
  const notPager = (why: string): ConnectionFailure => ({
    failure: { type: 'not_pager', address, why },
    mayPass: false,
    mayBeDone: true,
  });
  if (code === 'ERR_PROXY_TUNNEL') return unreachable(...tunnelFailure(error));
  if (unknownAuthority.has(code))
    return unreachable(
      `the server’s certificate is signed by an unknown authority (${code}); set SSL_CERT_FILE, or ca_cert_file in the Terraform provider, to a file with the authority’s certificate`,
      false,
    );
  if (/^ERR_SSL_.*ALERT/.test(code))
    return unreachable(
      `the server ended the TLS handshake (${code}); if it requires a client certificate, set client_cert_file and client_key_file in the Terraform provider`,
      false,
    );
  if (error instanceof TimeoutError) return unreachable(error.message, true);
  if (error instanceof TooLargeError) return notPager('its answer does not end');
  if (code.startsWith('HPE_')) return notPager('it does not use HTTP');
  // A name server that fails may say so of a name that it knew a moment ago.
  if (code === 'ENOTFOUND' && hasAnswered)
    return unreachable('its host name cannot be looked up now', true);
  if (code in passing) return unreachable(passing[code] ?? code, true);
  return unreachable(lasting[code] ?? `the connection failed (${code})`, false);
}

/** Why, and whether it may pass. */
function tunnelFailure(error: unknown): [string, boolean] {
  const message = error instanceof Error ? error.message : '';
  const status = Number(/HTTP\/1\.\d (\d{3})/.exec(message)?.[1]);
  if (status === 407) return [proxyAuthentication, false];
  if (status > 0) return [`the proxy rejected the connection with ${status}`, status >= 500];
  return ['the proxy closed the connection', true];
}

/** Only the code: messages of errors may quote what was sent. */
function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code);
  return error instanceof Error ? error.name : 'unknown';
}
