// The environment, read once: every problem is told at once, and nothing else looks at it.
import { type CertificateFiles, readCertificate } from './api/mail/certificate.ts';
import { suggested } from './arguments.ts';
import { messageOf } from './engine/log.ts';
import { accessLimits } from './limits/access.ts';
import { MIB } from './limits/limit.ts';
import { runningLimits } from './limits/running.ts';
import { vendorNamed } from './resources/connections/vendors.ts';
import { clientSettings, nearestSetting, settings } from './settings.ts';
import { KEY_PATTERN } from './storage/people/key-text.ts';

export type Address = { readonly host: string; readonly port: number };

export const addressText = ({ host, port }: Address): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

export type Config = {
  readonly listen: Address;
  readonly publicUrl: string;
  /** For how long a server that was asked to stop serves what arrives. */
  readonly drainSeconds: number;
  /** How many proxies are in front, or the networks they are in. */
  readonly trustProxy: number | readonly string[];
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** It is set, but to nothing. */
  readonly isDatabaseUrlEmpty: boolean;
  readonly secretKey: string | null;
  /** What a rotation puts in its place. */
  readonly newSecretKey: string | null;
  readonly bootstrap: {
    readonly organization: string | null;
    readonly email: string | null;
    readonly password: string | null;
    readonly apiKey: string | null;
  };
  readonly mail: { readonly smtpUrl: string | null; readonly from: string };
  readonly mailListener: Address & {
    readonly domain: string;
    /** Where replies to pages and bounces are received; null: mail from other servers is not. */
    readonly replyDomain: string | null;
    /** Where bounces are; null: they go to the sender, who is outside Pager. */
    readonly bounceDomain: string | null;
    readonly certificate: CertificateFiles | null;
  };
  readonly allowNetworks: readonly string[];
  /** Called while all is well; a secret. */
  readonly heartbeatUrl: string | null;
  /** By vendor, without a slash at the end. */
  readonly vendorUrls: Readonly<Record<string, string>>;
  /** 0: events are kept for good. */
  readonly eventRetentionDays: number;
  /** Bytes that an organization may store of events in a day; null: no limit. */
  readonly eventStorageBytes: number | null;
  /** The monthly limit stops pages of incidents too. */
  readonly hardAlertLimit: boolean;
  readonly logLevel: string;
  readonly logFormat: 'json' | 'text';
};

type Environment = Readonly<Record<string, string | undefined>>;

export type ReadConfig =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly string[] };

/** What the process is told by its surroundings beside the settings. */
export type Surroundings = { readonly isRoot?: boolean; readonly isTerminal?: boolean };

export function readConfig(
  environment: Environment,
  { isRoot = false, isTerminal = false }: Surroundings = {},
): ReadConfig {
  const problems: string[] = [];
  const knownNames = new Set([...settings.map((setting) => setting.name), ...clientSettings]);
  for (const name of Object.keys(environment))
    if (name.startsWith('PAGER_') && !name.startsWith('PAGER_TEST_') && !knownNames.has(name))
      problems.push(`${name} is not a Pager setting.${hint(name)}`);

  const text = (name: string): string | null => environment[name]?.trim() || null;
  /** What is documented as used when nothing is given. */
  const fallback = (name: string) =>
    settings.find((setting) => setting.name === name)?.fallback ?? '';
  const textOrFallback = (name: string) => text(name) ?? fallback(name);
  const report = (name: string, problem: string) => {
    problems.push(`${name} ${problem}`);
  };
  const textMatching = (name: string, form: RegExp, problem: string): string | null => {
    const value = text(name);
    if (value !== null && !form.test(value)) report(name, problem);
    return value;
  };

  const address = (name: string): Address => {
    const match = /^(?:\[([0-9a-f:.]+)\]|([^:]*)):(\d{1,5})$/i.exec(textOrFallback(name));
    const port = Number(match?.[3]);
    if (match && port <= 65_535) return { host: match[1] ?? match[2] ?? '', port };
    report(name, 'must be an address and a port, such as 127.0.0.1:8080');
    return { host: '', port: 0 };
  };

  const url = (name: string, schemes: readonly string[]): string | null => {
    const value = text(name);
    if (value === null) return null;
    const scheme = URL.parse(value)?.protocol.slice(0, -1);
    // The value may hold a password, so it is not repeated.
    if (scheme === undefined || !schemes.includes(scheme))
      report(name, `must be an address that begins with ${schemes.join(':// or ')}://`);
    return value;
  };

  const listen = address('PAGER_LISTEN');
  const publicUrl = url('PAGER_PUBLIC_URL', ['http', 'https']) ?? `http://localhost:${listen.port}`;
  if (/[?#@]/.test(publicUrl))
    report('PAGER_PUBLIC_URL', 'must not contain a user, a password, ? or #');
  const smtpUrl = url('PAGER_SMTP_URL', ['smtp', 'smtps']);
  if (smtpUrl !== null && URL.parse(smtpUrl)?.hostname === '')
    report('PAGER_SMTP_URL', 'must contain a mail server');
  const mailFrom = textMatching(
    'PAGER_MAIL_FROM',
    /^[^\r\n]*[^\s@<>]+@[a-z0-9.-]+>?$/i,
    'must be an e-mail address, such as Pager <pager@example.com>',
  );
  if (smtpUrl !== null && mailFrom === null)
    report('PAGER_MAIL_FROM', 'is required with PAGER_SMTP_URL');
  textMatching('PAGER_EMAIL_DOMAIN', /^[^\s@<>]+$/, 'must be a domain, such as alerts.example.com');

  const long = 'must have at least 32 characters';
  const cert = text('PAGER_EMAIL_TLS_CERT_FILE');
  const key = text('PAGER_EMAIL_TLS_KEY_FILE');
  const certificate = cert !== null && key !== null ? { cert, key } : null;
  if (cert !== null && key === null)
    report('PAGER_EMAIL_TLS_KEY_FILE', 'is required with PAGER_EMAIL_TLS_CERT_FILE');
  if (cert === null && key !== null)
    report('PAGER_EMAIL_TLS_CERT_FILE', 'is required with PAGER_EMAIL_TLS_KEY_FILE');
  const unusable = certificate && certificateProblem(certificate);
  if (unusable !== null)
    report('PAGER_EMAIL_TLS_CERT_FILE', `and its key cannot be used: ${unusable}`);

  const secretKey = textMatching('PAGER_SECRET_KEY', /^.{32}/s, long);
  const newSecretKey = textMatching('PAGER_NEW_SECRET_KEY', /^.{32}/s, long);
  const bootstrap = {
    organization: textMatching(
      'PAGER_BOOTSTRAP_ORGANIZATION',
      /^.{1,255}$/su,
      'must have at most 255 characters',
    ),
    email: textMatching(
      'PAGER_BOOTSTRAP_EMAIL',
      /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/,
      'must be an e-mail address without a name',
    ),
    password: textMatching(
      'PAGER_BOOTSTRAP_PASSWORD',
      new RegExp(`^.{${accessLimits.passwordMin},${accessLimits.passwordMax}}$`, 'su'),
      `must have ${accessLimits.passwordMin} to ${accessLimits.passwordMax} characters`,
    ),
    apiKey: textMatching(
      'PAGER_BOOTSTRAP_API_KEY',
      new RegExp(KEY_PATTERN),
      `must have ${accessLimits.keyMin} to ${accessLimits.keyMax} letters, digits and symbols, without spaces`,
    ),
  };

  const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'];
  const logLevel = textOrFallback('PAGER_LOG_LEVEL');
  if (!levels.includes(logLevel)) report('PAGER_LOG_LEVEL', `must be one of ${levels.join(', ')}`);

  const logFormat = text('PAGER_LOG_FORMAT') ?? (isTerminal ? 'text' : 'json');
  if (!['json', 'text'].includes(logFormat)) report('PAGER_LOG_FORMAT', 'must be json or text');

  const flag = (name: string) => {
    const value = textOrFallback(name);
    if (!['true', 'false'].includes(value)) report(name, 'must be true or false');
    return value === 'true';
  };
  const hardAlertLimit = flag('PAGER_HARD_ALERT_LIMIT');

  const eventRetentionDays = Number(textOrFallback('PAGER_EVENT_RETENTION_DAYS'));
  if (
    !Number.isInteger(eventRetentionDays) ||
    eventRetentionDays < 0 ||
    eventRetentionDays > 36_500
  )
    report('PAGER_EVENT_RETENTION_DAYS', 'must be a whole number of days, up to 36500');

  const eventStorage = Number(textOrFallback('PAGER_EVENT_STORAGE_MIB_PER_DAY'));
  if (!Number.isInteger(eventStorage) || eventStorage < 0 || eventStorage > 1_000_000_000)
    report(
      'PAGER_EVENT_STORAGE_MIB_PER_DAY',
      'must be a whole number of MiB, up to 1000000000, or 0 for no limit',
    );

  const allowNetworks = textOrFallback('PAGER_ALLOW_NETWORKS')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  for (const network of allowNetworks)
    if (!isCidr(network))
      report('PAGER_ALLOW_NETWORKS', `contains ${network}, which is not a CIDR block`);

  const vendorUrls: Record<string, string> = {};
  for (const part of textOrFallback('PAGER_VENDOR_URLS').split(',').filter(Boolean)) {
    const [name = '', ...rest] = part.split('=');
    const vendor = name.trim();
    const address = URL.parse(rest.join('=').trim());
    if (vendor !== 'sns' && !vendorNamed(vendor))
      report('PAGER_VENDOR_URLS', `contains ${vendor || 'no vendor'}, which is not a vendor`);
    else if (address?.protocol !== 'https:' && address?.protocol !== 'http:')
      report('PAGER_VENDOR_URLS', `has no http or https address for ${vendor}`);
    else vendorUrls[vendor] = address.href.replace(/\/+$/, '');
  }

  const drainSeconds = Number(textOrFallback('PAGER_DRAIN_SECONDS'));
  if (!Number.isInteger(drainSeconds) || drainSeconds < 0 || drainSeconds > runningLimits.drain)
    report(
      'PAGER_DRAIN_SECONDS',
      `must be a whole number of seconds, up to ${runningLimits.drain}`,
    );

  const trustProxy = proxies(textOrFallback('PAGER_TRUST_PROXY'));
  if (trustProxy === null)
    report('PAGER_TRUST_PROXY', 'must be the number of proxies, or their addresses or CIDR blocks');

  const domain = textOrFallback('PAGER_EMAIL_DOMAIN');
  const replyDomain = domain === 'localhost' ? null : domain;
  const receivesBounces = flag('PAGER_EMAIL_BOUNCES');
  const config: Config = {
    listen,
    publicUrl: publicUrl.replace(/\/+$/, ''),
    drainSeconds,
    trustProxy: trustProxy ?? 0,
    dataDir: text('PAGER_DATA_DIR') ?? (isRoot ? '/var/lib/pager' : './data'),
    databaseUrl: url('PAGER_DATABASE_URL', ['postgres', 'postgresql']),
    isDatabaseUrlEmpty: environment['PAGER_DATABASE_URL']?.trim() === '',
    secretKey,
    newSecretKey,
    bootstrap,
    mail: { smtpUrl, from: mailFrom ?? fallback('PAGER_MAIL_FROM') },
    mailListener: {
      ...address('PAGER_EMAIL_LISTEN'),
      domain,
      replyDomain,
      bounceDomain: receivesBounces ? replyDomain : null,
      certificate,
    },
    allowNetworks,
    heartbeatUrl: url('PAGER_HEARTBEAT_URL', ['http', 'https']),
    vendorUrls,
    eventRetentionDays,
    eventStorageBytes: eventStorage === 0 ? null : eventStorage * MIB,
    hardAlertLimit,
    logLevel,
    logFormat: logFormat === 'text' ? 'text' : 'json',
  };
  return problems.length > 0 ? { ok: false, problems } : { ok: true, config };
}

/** Kubernetes sets variables of a Service by its name, whether they are wanted or not. */
const KUBERNETES_SERVICE_VARIABLE = /^PAGER_(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP))/;

const hint = (name: string): string =>
  KUBERNETES_SERVICE_VARIABLE.test(name)
    ? ' Set enableServiceLinks: false, or rename the Kubernetes Service.'
    : suggested(nearestSetting(name));

function certificateProblem(files: CertificateFiles): string | null {
  try {
    readCertificate(files);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Null for what tells none, or trusts everybody. */
function proxies(text: string): number | readonly string[] | null {
  if (/^\d+$/.test(text)) return Number(text) <= runningLimits.proxies ? Number(text) : null;
  const networks = text.split(',').map((part) => part.trim());
  const isFine = (part: string) => isCidr(part.includes('/') ? part : `${part}/32`);
  return networks.every((part) => isFine(part) && !part.endsWith('/0')) ? networks : null;
}

function isCidr(text: string): boolean {
  const [address, bits, more] = text.split('/');
  if (address === undefined || bits === undefined || more !== undefined) return false;
  if (!/^\d{1,3}$/.test(bits)) return false;
  const isV6 = address.includes(':');
  const host = isV6 ? `[${address}]` : address;
  const isAddress = isV6 || /^\d+\.\d+\.\d+\.\d+$/.test(address);
  return isAddress && URL.canParse(`http://${host}/`) && Number(bits) <= (isV6 ? 128 : 32);
}
