// What may be set, as it is documented; `src/config.ts` reads it.
import { nearest } from './nearest.ts';

/** One setting: how it is documented and how its text is understood. */
type Setting = { readonly name: string; readonly fallback: string; readonly doc: string };

/** In the order of the documentation, which is generated from this. */
export const settings: readonly Setting[] = [
  { name: 'PAGER_LISTEN', fallback: '127.0.0.1:8080', doc: 'Where HTTP listens.' },
  {
    name: 'PAGER_PUBLIC_URL',
    fallback: 'http://localhost:<port of PAGER_LISTEN>',
    doc: 'The address that people and tools use; every link and webhook address starts with it.',
  },
  {
    name: 'PAGER_DRAIN_SECONDS',
    fallback: '0',
    doc: 'For how long a server that was asked to stop still serves what arrives, while `/readyz` answers 503, so that a balancer sends it nothing more; 10 in the unit for systemd.',
  },
  {
    name: 'PAGER_TRUST_PROXY',
    fallback: '0',
    doc: 'The proxies whose X-Forwarded-For is trusted: how many there are one behind the other, or their addresses or CIDR blocks with commas between them.',
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
    name: 'PAGER_NEW_SECRET_KEY',
    fallback: 'generated, unless PAGER_SECRET_KEY is set',
    doc: 'What pagerctl rotate-secret-key puts in its place; nothing else reads it.',
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
    doc: 'Outgoing mail, such as smtps://user:password@host. Without it each message is only written to a file in <data dir>/mail/ and reaches nobody, and escalation policies skip e-mail.',
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
    name: 'PAGER_EMAIL_TLS_CERT_FILE',
    fallback: '',
    doc: 'A certificate with its chain, in PEM: with it, and with its key, alert mail may come by STARTTLS. Read again when it changes.',
  },
  { name: 'PAGER_EMAIL_TLS_KEY_FILE', fallback: '', doc: 'Its private key, in PEM.' },
  {
    name: 'PAGER_ALLOW_NETWORKS',
    fallback: '',
    doc: 'Private networks that webhooks may be in, as CIDR blocks with commas between them.',
  },
  {
    name: 'PAGER_HEARTBEAT_URL',
    fallback: '',
    doc: 'An address that is called by GET every minute while the canary’s page arrives, such as a check of healthchecks; may be in any network.',
  },
  {
    name: 'PAGER_VENDOR_URLS',
    fallback: '',
    doc: 'Other base addresses of vendors by which people are reached, such as telegram=https://bots.example.com with commas between them, and of Amazon SNS, such as sns=https://sns.example.com; may be in any network.',
  },
  {
    name: 'PAGER_EVENT_RETENTION_DAYS',
    fallback: '90',
    doc: 'For how many days events are kept, and longer until their incident is resolved, unless the organisation sets its own; 0 keeps them without a limit.',
  },
  {
    name: 'PAGER_EVENT_STORAGE_MIB_PER_DAY',
    fallback: '2048',
    doc: 'How many MiB of events an organization may store in a day (UTC): bodies, mails, details of incidents. One integration may store as much as it leaves free, so half of it at most. Beyond that, events are processed as usual and then cut; 0 sets no limit.',
  },
  {
    name: 'PAGER_HARD_ALERT_LIMIT',
    fallback: 'false',
    doc: 'With true, a reached monthly alert limit stops pages of incidents too, not only shift notifications.',
  },
  {
    name: 'PAGER_LOG_LEVEL',
    fallback: 'info',
    doc: 'fatal, error, warn, info, debug or trace; on standard output.',
  },
  {
    name: 'PAGER_LOG_FORMAT',
    fallback: 'text on a terminal, else json',
    doc: 'json for programs, one object a line, or text for people.',
  },
];

/** What the Terraform provider and the export read, often set in the same shell. */
export const clientSettings = [
  'PAGER_API_KEY',
  'PAGER_BASE_URL',
  'PAGER_TEAM_ID',
  'PAGER_WORKSPACE',
];

/** What people try who know other programs, by what it is called here. */
export const aliases: Readonly<Record<string, readonly string[]>> = {
  PAGER_LISTEN: [
    'PORT',
    'HOST',
    'BIND',
    'ADDR',
    'ADDRESS',
    'HTTP_PORT',
    'HTTP_LISTEN',
    'BIND_PORT',
  ],
  PAGER_PUBLIC_URL: [
    'URL',
    'EXTERNAL_URL',
    'ROOT_URL',
    'SITE_URL',
    'APP_URL',
    'DOMAIN',
    'HOSTNAME',
  ],
  PAGER_DATABASE_URL: [
    'DB',
    'DATABASE',
    'DB_URL',
    'DB_DSN',
    'DSN',
    'PG_URL',
    'POSTGRES_URL',
    'DATABASE_DSN',
  ],
  PAGER_DRAIN_SECONDS: ['DRAIN', 'DRAIN_TIME', 'GRACE_PERIOD', 'SHUTDOWN_DELAY', 'STOP_DELAY'],
  PAGER_DATA_DIR: ['DATA', 'DIR', 'HOME', 'DATA_PATH', 'DATA_FOLDER', 'STATE_DIR'],
  PAGER_SECRET_KEY: ['SECRET', 'KEY', 'ENCRYPTION_KEY'],
  PAGER_SMTP_URL: [
    'SMTP',
    'SMTP_HOST',
    'SMTP_SERVER',
    'SMTP_PORT',
    'SMTP_USER',
    'SMTP_PASSWORD',
    'MAIL_URL',
    'MAIL_HOST',
    'MAIL_SERVER',
  ],
  PAGER_MAIL_FROM: ['FROM', 'SMTP_FROM', 'EMAIL_FROM', 'SENDER'],
  PAGER_EMAIL_LISTEN: ['EMAIL_PORT', 'SMTP_LISTEN', 'MAIL_LISTEN', 'MAIL_PORT'],
  PAGER_TRUST_PROXY: ['PROXY', 'TRUSTED_PROXIES', 'BEHIND_PROXY'],
  PAGER_ALLOW_NETWORKS: ['ALLOWED_NETWORKS', 'ALLOW_PRIVATE', 'NETWORKS'],
  PAGER_BOOTSTRAP_EMAIL: ['EMAIL', 'ADMIN_EMAIL', 'OWNER_EMAIL', 'ADMIN_USER'],
  PAGER_BOOTSTRAP_PASSWORD: ['PASSWORD', 'ADMIN_PASSWORD', 'OWNER_PASSWORD'],
  PAGER_LOG_LEVEL: ['LOG', 'LOGLEVEL', 'LEVEL', 'DEBUG', 'VERBOSE'],
};

/** The setting that was probably meant by a name that is none; null: none comes to mind. */
export function nearestSetting(name: string): string | null {
  const alias = Object.entries(aliases).find(([, names]) =>
    names.some((each) => name === `PAGER_${each}`),
  );
  const names = [...settings.map((setting) => setting.name), ...clientSettings];
  return alias?.[0] ?? nearest(name, names);
}
