// What may be set, as it is documented; `src/config.ts` reads it.
import { nearest } from './resources/nearest.ts';

/** One setting: how it is documented and how its text is understood. */
type Setting = { readonly name: string; readonly fallback: string; readonly doc: string };

/** In the order of the documentation, which is generated from this. */
export const settings: readonly Setting[] = [
  { name: 'PAGER_LISTEN', fallback: '127.0.0.1:8080', doc: 'The address and port for HTTP.' },
  {
    name: 'PAGER_PUBLIC_URL',
    fallback: 'http://localhost:<port of PAGER_LISTEN>',
    doc: 'The address that people and tools use. Every link and webhook address starts with it.',
  },
  {
    name: 'PAGER_DRAIN_SECONDS',
    fallback: '0',
    doc: 'How long a stopping server still serves requests while `/readyz` answers 503, so that a load balancer stops sending requests. The systemd unit sets 10.',
  },
  {
    name: 'PAGER_TRUST_PROXY',
    fallback: '0',
    doc: 'The proxies whose X-Forwarded-For is trusted: the number of chained proxies, or their addresses or CIDR blocks separated by commas.',
  },
  {
    name: 'PAGER_DATA_DIR',
    fallback: './data; started as root, /var/lib/pager',
    doc: 'The folder for the bundled database, the generated secret key and, without an SMTP server, the mail.',
  },
  {
    name: 'PAGER_DATABASE_URL',
    fallback: '',
    doc: 'Your own PostgreSQL, 15 or later. If not set, the bundled PostgreSQL runs.',
  },
  {
    name: 'PAGER_SECRET_KEY',
    fallback: 'generated once in the data directory, mode 600',
    doc: 'Encrypts integration tokens and webhook addresses. 32 characters or more.',
  },
  {
    name: 'PAGER_NEW_SECRET_KEY',
    fallback: 'generated, unless PAGER_SECRET_KEY is set',
    doc: 'The new key for pagerctl rotate-secret-key. Nothing else reads it.',
  },
  {
    name: 'PAGER_BOOTSTRAP_ORGANIZATION',
    fallback: 'generated',
    doc: 'The name of the first organization. Used only while the database is empty, like the next three.',
  },
  { name: 'PAGER_BOOTSTRAP_EMAIL', fallback: 'generated', doc: 'The e-mail address of its owner.' },
  { name: 'PAGER_BOOTSTRAP_PASSWORD', fallback: 'generated', doc: 'The password of its owner.' },
  { name: 'PAGER_BOOTSTRAP_API_KEY', fallback: 'generated', doc: 'Its first API key.' },
  {
    name: 'PAGER_SMTP_URL',
    fallback: '',
    doc: 'The server for outgoing mail, such as smtps://user:password@host. It is used instead of mail servers that admins connect. Without either, messages are written to the folder mail in the data directory instead of being sent, and escalation policies skip e-mail.',
  },
  {
    name: 'PAGER_MAIL_FROM',
    fallback: 'Pager <pager@localhost>',
    doc: 'The sender of outgoing mail. Required with PAGER_SMTP_URL.',
  },
  {
    name: 'PAGER_EMAIL_LISTEN',
    fallback: '127.0.0.1:2525',
    doc: 'The address and port for alert mail by SMTP. Port 0 means any free port.',
  },
  {
    name: 'PAGER_EMAIL_DOMAIN',
    fallback: 'localhost',
    doc: 'The domain of integrations’ mail addresses, and of the addresses for replies to pages and for bounces.',
  },
  {
    name: 'PAGER_EMAIL_BOUNCES',
    fallback: 'false',
    doc: 'true: pages by e-mail have an envelope sender in PAGER_EMAIL_DOMAIN, so that their bounces reach Pager. First allow your mail server to send for this domain (SPF). Otherwise, pages may be treated as spam.',
  },
  {
    name: 'PAGER_EMAIL_TLS_CERT_FILE',
    fallback: '',
    doc: 'A PEM file with a certificate and its chain. With it and its key, alert mail can use STARTTLS. Pager reads it again when it changes.',
  },
  { name: 'PAGER_EMAIL_TLS_KEY_FILE', fallback: '', doc: 'A PEM file with its private key.' },
  {
    name: 'PAGER_ALLOW_NETWORKS',
    fallback: '',
    doc: 'The private networks that webhooks can be in, as CIDR blocks separated by commas.',
  },
  {
    name: 'PAGER_HEARTBEAT_URL',
    fallback: '',
    doc: 'An address that Pager calls by GET every minute while the canary’s page arrives, such as a Healthchecks check. It can be in any network.',
  },
  {
    name: 'PAGER_VENDOR_URLS',
    fallback: '',
    doc: 'Other base addresses for vendors and Amazon SNS, separated by commas, such as telegram=https://bots.example.com,sns=https://sns.example.com. They can be in any network.',
  },
  {
    name: 'PAGER_EVENT_RETENTION_DAYS',
    fallback: '90',
    doc: 'The number of days to keep events, or longer until their incident is resolved. Organizations can override it. 0 means no limit.',
  },
  {
    name: 'PAGER_EVENT_STORAGE_MIB_PER_DAY',
    fallback: '2048',
    doc: 'The number of MiB of events (bodies, mails, incident details) that an organization can store per day (UTC). One integration can store as much as it leaves free, so at most half. Beyond that, events are processed as usual and then truncated. 0 means no limit.',
  },
  {
    name: 'PAGER_HARD_ALERT_LIMIT',
    fallback: 'false',
    doc: 'If true, the monthly alert limit also stops pages, not only shift notifications.',
  },
  {
    name: 'PAGER_LOG_LEVEL',
    fallback: 'info',
    doc: 'The level of the log on standard output: fatal, error, warn, info, debug or trace.',
  },
  {
    name: 'PAGER_LOG_FORMAT',
    fallback: 'text on a terminal, else json',
    doc: 'json for programs, one object per line, or text for people.',
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
