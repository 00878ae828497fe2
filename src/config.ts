// The environment, read once: every problem is told at once, and nothing else looks at it.

export type Address = { readonly host: string; readonly port: number };

export type Config = {
  readonly listen: Address;
  readonly publicUrl: string;
  /** How many proxies are in front, or the networks they are in. */
  readonly trustProxy: number | readonly string[];
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly secretKey: string | null;
  readonly bootstrap: {
    readonly organization: string | null;
    readonly email: string | null;
    readonly password: string | null;
    readonly apiKey: string | null;
  };
  readonly mail: { readonly smtpUrl: string | null; readonly from: string };
  readonly mailDoor: Address & { readonly domain: string };
  readonly allowNetworks: readonly string[];
  /** 0: events are kept for good. */
  readonly eventRetentionDays: number;
  /** The monthly limit stops pages of incidents too. */
  readonly hardAlertLimit: boolean;
  readonly logLevel: string;
};

/** One setting: how it is documented and how its text is understood. */
type Setting = { readonly name: string; readonly fallback: string; readonly doc: string };

/** In the order of the documentation, which is generated from this. */
export const settings: readonly Setting[] = [
  { name: 'PAGER_LISTEN', fallback: '127.0.0.1:8080', doc: 'Where HTTP listens.' },
  {
    name: 'PAGER_PUBLIC_URL',
    fallback: 'http://localhost:8080',
    doc: 'The address that people and tools use; every link and webhook address starts with it.',
  },
  {
    name: 'PAGER_TRUST_PROXY',
    fallback: '0',
    doc: 'The proxies that are believed when they tell who sent a request (X-Forwarded-For): how many there are one behind the other, or their addresses or CIDR blocks with commas between them.',
  },
  {
    name: 'PAGER_DATA_DIR',
    fallback: './data; started as root, /var/lib/pager',
    doc: 'Holds the bundled database, the generated secret key and, without an SMTP server, the mail.',
  },
  {
    name: 'PAGER_DATABASE_URL',
    fallback: '',
    doc: 'A PostgreSQL of your own, 15 or later; else the bundled one runs.',
  },
  {
    name: 'PAGER_SECRET_KEY',
    fallback: 'generated once into the data directory, mode 600',
    doc: 'Encrypts integration tokens and webhook addresses. 32 characters or more.',
  },
  {
    name: 'PAGER_BOOTSTRAP_ORGANIZATION',
    fallback: 'generated',
    doc: 'Name of the first organisation; used only while the database is empty, as the next three.',
  },
  { name: 'PAGER_BOOTSTRAP_EMAIL', fallback: 'generated', doc: 'Sign-in of its owner.' },
  { name: 'PAGER_BOOTSTRAP_PASSWORD', fallback: 'generated', doc: 'Password of its owner.' },
  { name: 'PAGER_BOOTSTRAP_API_KEY', fallback: 'generated', doc: 'Its first API key.' },
  {
    name: 'PAGER_SMTP_URL',
    fallback: '',
    doc: 'Outgoing mail, such as smtps://user:password@host; without it each mail is a file in <data dir>/mail/ and a log line.',
  },
  {
    name: 'PAGER_MAIL_FROM',
    fallback: 'Pager <pager@localhost>',
    doc: 'Sender of outgoing mail; needed with PAGER_SMTP_URL.',
  },
  {
    name: 'PAGER_EMAIL_LISTEN',
    fallback: '127.0.0.1:2525',
    doc: 'Where alert mail is taken by SMTP; port 0 takes any free one.',
  },
  {
    name: 'PAGER_EMAIL_DOMAIN',
    fallback: 'localhost',
    doc: 'The domain of integrations’ mail addresses.',
  },
  {
    name: 'PAGER_ALLOW_NETWORKS',
    fallback: '',
    doc: 'Private networks that webhooks may be in, as CIDR blocks with commas between them.',
  },
  {
    name: 'PAGER_EVENT_RETENTION_DAYS',
    fallback: '90',
    doc: 'How long events are kept, and longer until their incident is resolved; 0 keeps them for good.',
  },
  {
    name: 'PAGER_HARD_ALERT_LIMIT',
    fallback: 'false',
    doc: 'With true, a reached monthly alert limit stops pages of incidents too, not only shift notifications.',
  },
  {
    name: 'PAGER_LOG_LEVEL',
    fallback: 'info',
    doc: 'fatal, error, warn, info, debug or trace; structured JSON on standard output.',
  },
];

/** What the Terraform provider and the export read, often set in the same shell. */
const ofClients = ['PAGER_API_KEY', 'PAGER_BASE_URL', 'PAGER_TEAM_ID'];

type Environment = Readonly<Record<string, string | undefined>>;

export type ReadConfig =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly string[] };

export function readConfig(environment: Environment, isRoot: boolean): ReadConfig {
  const problems: string[] = [];
  const known = new Set([...settings.map((setting) => setting.name), ...ofClients]);
  for (const name of Object.keys(environment))
    if (name.startsWith('PAGER_') && !name.startsWith('PAGER_TEST_') && !known.has(name))
      problems.push(`${name} is not a setting of Pager`);

  const text = (name: string): string | null => environment[name]?.trim() || null;
  /** What is documented as used when nothing is given. */
  const fallback = (name: string) => settings.find((one) => one.name === name)?.fallback ?? '';
  const textOrFallback = (name: string) => text(name) ?? fallback(name);
  const wrong = (name: string, says: string) => {
    problems.push(`${name} ${says}`);
  };

  const address = (name: string): Address => {
    const found = /^(?:\[([0-9a-f:.]+)\]|([^:]*)):(\d{1,5})$/i.exec(textOrFallback(name));
    const port = Number(found?.[3]);
    if (found && port <= 65_535) return { host: found[1] ?? found[2] ?? '', port };
    wrong(name, 'must be an address and a port, such as 127.0.0.1:8080');
    return { host: '', port: 0 };
  };

  const url = (name: string, schemes: readonly string[]): string | null => {
    const given = text(name);
    if (given === null) return null;
    const scheme = URL.parse(given)?.protocol.slice(0, -1);
    // The value may hold a password, so it is not repeated.
    if (scheme === undefined || !schemes.includes(scheme))
      wrong(name, `must be an address that begins with ${schemes.join(':// or ')}://`);
    return given;
  };

  const publicUrl = url('PAGER_PUBLIC_URL', ['http', 'https']) ?? fallback('PAGER_PUBLIC_URL');
  const smtpUrl = url('PAGER_SMTP_URL', ['smtp', 'smtps']);
  const mailFrom = text('PAGER_MAIL_FROM');
  if (smtpUrl !== null && mailFrom === null)
    wrong('PAGER_MAIL_FROM', 'is needed with PAGER_SMTP_URL');
  if (mailFrom !== null && !/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/.test(mailFrom))
    wrong('PAGER_MAIL_FROM', 'must be a mail address, such as Pager <pager@example.com>');

  const secretKey = text('PAGER_SECRET_KEY');
  if (secretKey !== null && secretKey.length < 32)
    wrong('PAGER_SECRET_KEY', 'must have at least 32 characters');

  const password = text('PAGER_BOOTSTRAP_PASSWORD');
  if (password !== null && password.length < 8)
    wrong('PAGER_BOOTSTRAP_PASSWORD', 'must have at least 8 characters');
  const email = text('PAGER_BOOTSTRAP_EMAIL');
  if (email !== null && !/^[^\s@]+@[^\s@]+$/.test(email))
    wrong('PAGER_BOOTSTRAP_EMAIL', 'must be a mail address');

  const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'];
  const logLevel = textOrFallback('PAGER_LOG_LEVEL');
  if (!levels.includes(logLevel)) wrong('PAGER_LOG_LEVEL', `must be one of ${levels.join(', ')}`);

  const hardAlertLimit = textOrFallback('PAGER_HARD_ALERT_LIMIT');
  if (!['true', 'false'].includes(hardAlertLimit))
    wrong('PAGER_HARD_ALERT_LIMIT', 'must be true or false');

  const eventRetentionDays = Number(textOrFallback('PAGER_EVENT_RETENTION_DAYS'));
  if (
    !Number.isInteger(eventRetentionDays) ||
    eventRetentionDays < 0 ||
    eventRetentionDays > 36_500
  )
    wrong('PAGER_EVENT_RETENTION_DAYS', 'must be a whole number of days, up to 36500');

  const allowNetworks = textOrFallback('PAGER_ALLOW_NETWORKS')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  for (const network of allowNetworks)
    if (!isCidr(network))
      wrong('PAGER_ALLOW_NETWORKS', `holds ${network}, which is not a CIDR block`);

  const trustProxy = proxies(textOrFallback('PAGER_TRUST_PROXY'));
  if (trustProxy === null)
    wrong(
      'PAGER_TRUST_PROXY',
      'must be how many proxies there are, or their addresses or CIDR blocks',
    );

  const config: Config = {
    listen: address('PAGER_LISTEN'),
    publicUrl: publicUrl.replace(/\/+$/, ''),
    trustProxy: trustProxy ?? 0,
    dataDir: text('PAGER_DATA_DIR') ?? (isRoot ? '/var/lib/pager' : './data'),
    databaseUrl: url('PAGER_DATABASE_URL', ['postgres', 'postgresql']),
    secretKey,
    bootstrap: {
      organization: text('PAGER_BOOTSTRAP_ORGANIZATION'),
      email,
      password,
      apiKey: text('PAGER_BOOTSTRAP_API_KEY'),
    },
    mail: { smtpUrl, from: mailFrom ?? fallback('PAGER_MAIL_FROM') },
    mailDoor: {
      ...address('PAGER_EMAIL_LISTEN'),
      domain: textOrFallback('PAGER_EMAIL_DOMAIN'),
    },
    allowNetworks,
    eventRetentionDays,
    hardAlertLimit: hardAlertLimit === 'true',
    logLevel,
  };
  return problems.length > 0 ? { ok: false, problems } : { ok: true, config };
}

const PROXIES_MAX = 20;

/** Null for what tells none, or trusts everybody. */
function proxies(text: string): number | readonly string[] | null {
  if (/^\d+$/.test(text)) return Number(text) <= PROXIES_MAX ? Number(text) : null;
  const networks = text.split(',').map((one) => one.trim());
  const isFine = (one: string) => isCidr(one.includes('/') ? one : `${one}/32`);
  return networks.every((one) => isFine(one) && !one.endsWith('/0')) ? networks : null;
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
