// What goes wrong with a mail server: in words, what to do about it, and what it says of
// the server itself.
import { getSystemErrorName } from 'node:util';
import type { VendorAnswer } from '../engine/sending/connection-health.ts';
import { lineOf } from '../notices/words/wording.ts';
import { addressRefused } from './outbound.ts';

export type SmtpError = {
  readonly code: string;
  /** The command that was answered, such as `RCPT TO`; absent where there was none. */
  readonly command?: string;
  readonly message: string;
  readonly responseCode?: number;
  readonly response?: string;
};

type Thrown = NodeJS.ErrnoException &
  Partial<SmtpError> & {
    /** That of the system or of TLS, where `code` only says that the connection failed. */
    readonly originalCode?: string;
  };

export function smtpErrorOf(error: unknown): SmtpError {
  if (!(error instanceof Error)) return { code: 'unknown', message: String(error) };
  const { code, errno, originalCode, command, responseCode, response }: Thrown = error;
  return {
    code: ownCode({ code: String(code ?? error.name), errno, originalCode }),
    message: lineOf(error.message).slice(0, 200),
    ...(typeof command === 'string' && { command }),
    ...(typeof responseCode === 'number' && { responseCode }),
    ...(typeof response === 'string' && { response }),
  };
}

type Codes = {
  readonly code: string;
  readonly errno: number | undefined;
  readonly originalCode: string | undefined;
};

/** A failure to connect has the code ESOCKET; the one before it, or its number, says which. */
function ownCode({ code, errno, originalCode }: Codes): string {
  if (originalCode !== undefined && Object.hasOwn(causes, originalCode)) return originalCode;
  return code === 'ESOCKET' && errno !== undefined && errno < 0 ? getSystemErrorName(errno) : code;
}

/** What people call the settings that they can correct. */
export type SettingNames = {
  readonly host: string;
  readonly address: string;
  readonly signIn: string;
  readonly sender: string;
  /** For a server that does not use TLS from the beginning. */
  readonly withoutTls: string;
  /** For a server that offers no STARTTLS. */
  readonly insecure: string;
};

export const namesOfEnvironment: SettingNames = {
  host: 'the host in PAGER_SMTP_URL',
  address: 'the host and the port in PAGER_SMTP_URL',
  signIn: 'the user and the password in PAGER_SMTP_URL',
  sender: 'PAGER_MAIL_FROM',
  withoutTls: 'use smtp:// in PAGER_SMTP_URL for a server with STARTTLS',
  insecure: 'see the log of the mail server for its TLS settings',
};

export const namesOfConnection: SettingNames = {
  host: 'the host of the connection',
  address: 'the host and the port of the connection',
  signIn: 'the user name and the password of the connection',
  sender: 'the sender of the connection',
  withoutTls: 'set security to starttls',
  insecure: 'set security to tls and use the port for TLS, such as 465',
};

type Cause = {
  readonly text: string;
  readonly remedy?: string | ((names: SettingNames) => string);
  /** Something has to be changed: time alone does not mend it. */
  readonly isRefusal?: true;
};

const atAddress = ({ address }: SettingNames) => `check ${address}`;
const untrusted: Cause = {
  text: 'the certificate of the mail server is not trusted',
  remedy:
    'use a certificate of a public authority, or start Pager with NODE_EXTRA_CA_CERTS set to the file with the certificate of your own authority',
  isRefusal: true,
};
const unroutable: Cause = { text: 'there is no route to the mail server', remedy: atAddress };
const silent: Cause = {
  text: 'the mail server did not answer in time',
  remedy: (names) => `${atAddress(names)}, and that no firewall is in between`,
};
const closed: Cause = {
  text: 'the mail server closed the connection',
  remedy: 'see the log of the mail server for the reason',
};
const withoutTls: Cause = {
  text: 'the mail server does not use TLS on this port',
  remedy: ({ withoutTls: change }) => `${change}, or use the port for TLS, such as 465`,
  isRefusal: true,
};
const unwritable: Cause = { text: 'the mail folder is not writable' };

/** By the code, which is shown too for whoever searches for it. */
const causes: Readonly<Record<string, Cause>> = {
  ECONNREFUSED: {
    text: 'nothing listens at the address of the mail server',
    remedy: (names) => `${atAddress(names)}, and that the mail server runs`,
  },
  ECONNRESET: closed,
  ECONNECTION: closed,
  EHOSTUNREACH: unroutable,
  ENETUNREACH: unroutable,
  ETIMEDOUT: silent,
  EABORT: silent,
  EDNS: {
    text: 'the name of the mail server is not known',
    remedy: ({ host }) => `check ${host}`,
  },
  EAUTH: {
    text: 'the mail server does not let Pager sign in',
    remedy: ({ signIn }) => `correct ${signIn}`,
    isRefusal: true,
  },
  ETLS: {
    text: 'the connection to the mail server cannot be secured',
    remedy: ({ insecure }) => insecure,
    isRefusal: true,
  },
  EPROTOCOL: {
    text: 'the program at the address of the mail server is not a mail server',
    remedy: atAddress,
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_UNTRUSTED: untrusted,
  CERT_HAS_EXPIRED: {
    text: 'the certificate of the mail server has expired',
    remedy: 'renew it',
    isRefusal: true,
  },
  CERT_NOT_YET_VALID: {
    text: 'the certificate of the mail server is not valid yet',
    remedy: 'check the clocks of both servers',
    isRefusal: true,
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    text: 'the certificate of the mail server is for another name',
    remedy: ({ host }) => `use a name from the certificate as ${host}`,
    isRefusal: true,
  },
  ERR_SSL_WRONG_VERSION_NUMBER: withoutTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: withoutTls,
  [addressRefused]: {
    text: 'the address of the mail server is not public',
    remedy:
      'use a mail server with a public address, or have the operator add its network to PAGER_ALLOW_NETWORKS',
    isRefusal: true,
  },
  ENOTDIR: unwritable,
  EACCES: unwritable,
  EROFS: unwritable,
  ENOSPC: { text: 'the disk is full' },
};

/** Of RFC 4954. */
const AUTHENTICATION_REQUIRED = 530;
const ofSender = ({ sender }: SettingNames) =>
  `set ${sender} to an address that the mail server lets Pager use`;

/** RFC 3207 gives it the same code. */
const isTlsRequired = ({ responseCode, response = '' }: SmtpError) =>
  responseCode === AUTHENTICATION_REQUIRED && /\bSTARTTLS\b/i.test(response);

const isSenderRefused = ({ command, responseCode = 0 }: SmtpError) =>
  command === 'MAIL FROM' && responseCode >= 500;

/** Without a remedy: timelines show it to people who cannot apply one. */
export function troubleOf(failure: SmtpError): string {
  const { code, responseCode, message } = failure;
  if (responseCode && code === 'EAUTH')
    return `the mail server refused the sign-in with ${responseCode}`;
  if (isTlsRequired(failure)) return `the mail server requires STARTTLS (${responseCode})`;
  if (responseCode === AUTHENTICATION_REQUIRED)
    return `the mail server requires a sign-in (${responseCode})`;
  if (isSenderRefused(failure)) return `the mail server refused the sender with ${responseCode}`;
  if (responseCode && code === 'ETLS')
    return `the mail server refused STARTTLS with ${responseCode}`;
  if (responseCode) return `the mail server answered ${responseCode} (${code})`;
  const words = causes[code]?.text;
  if (words !== undefined) return `${words} (${code})`;
  return code === 'ESOCKET' ? `the connection to the mail server failed: ${message}` : code;
}

function remedyOf(failure: SmtpError): Cause['remedy'] {
  if (isTlsRequired(failure)) return ({ withoutTls: change }) => change;
  if (failure.responseCode === AUTHENTICATION_REQUIRED) return causes['EAUTH']?.remedy;
  return isSenderRefused(failure) ? ofSender : causes[failure.code]?.remedy;
}

/** With what somebody can do about it. */
export function troubleToMend(failure: SmtpError, names: SettingNames): string {
  const remedy = remedyOf(failure);
  const trouble = troubleOf(failure);
  if (remedy === undefined) return trouble;
  return `${trouble}: ${typeof remedy === 'string' ? remedy : remedy(names)}`;
}

/**
 * What a failed mail says of the mail server. Whoever is answered about a recipient or a message has
 * been let in: the server works. Null: nothing left this server.
 */
export function serverAnswerOf(failure: SmtpError, names: SettingNames): VendorAnswer | null {
  const { code, command, responseCode, message } = failure;
  const reason = troubleToMend(failure, names);
  if (command === 'API') return code === 'EAUTH' ? { kind: 'refusal', reason } : null;
  if (command === 'RCPT TO' || command === 'DATA') return { kind: 'ok' };
  const isRefused =
    responseCode === undefined
      ? causes[code]?.isRefusal === true || /\bcertificate\b/i.test(message)
      : responseCode >= 500;
  return { kind: isRefused ? 'refusal' : 'outage', reason };
}

/**
 * What a failed mail says of its organization's other mails: refused for what it says, or by a rule of the
 * mail server such as that it relays nothing. One may be refused for its own sake, several are not. Null:
 * nothing, as for an address that is not known there.
 */
export function mailAnswerOf({ command, responseCode, response }: SmtpError): VendorAnswer | null {
  if (responseCode === undefined || responseCode < 500 || response === undefined) return null;
  const isByRule = command === 'RCPT TO' && /^\d+[ -]5\.7\./.test(response);
  if (command !== 'DATA' && !isByRule) return null;
  const words = lineOf(response.replaceAll(/<[^<>\s]*@[^<>\s]*>/g, '<…>')).slice(0, 200);
  return { kind: 'outage', reason: `the mail server refused a mail: ${words}` };
}
