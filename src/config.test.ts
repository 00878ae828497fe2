import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from './config.ts';
import { aliases, settings } from './settings.ts';

const trust = (text: string) => {
  const read = readConfig({ PAGER_TRUST_PROXY: text });
  return read.ok ? read.config.trustProxy : read.problems;
};

test('proxies are trusted by their number or by their networks, and by default not at all', () => {
  assert.deepEqual(trust(''), 0);
  assert.deepEqual(trust('0'), 0);
  assert.deepEqual(trust('2'), 2);
  assert.deepEqual(trust('10.0.0.1'), ['10.0.0.1']);
  assert.deepEqual(trust(' 10.0.0.0/8, fd00::/8 ,::1'), ['10.0.0.0/8', 'fd00::/8', '::1']);
});

test('what does not tell proxies is a problem, whoever would be trusted by it too', () => {
  const message =
    'PAGER_TRUST_PROXY must be the number of proxies, or their addresses or CIDR blocks';
  const wrong = [
    'true',
    '-1',
    '1.5',
    '21',
    'nginx',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '::/0',
    '1,',
    '1,2',
  ];
  for (const text of wrong) assert.deepEqual(trust(text), [message], text);
});

test('how long events are kept is a whole number of days', () => {
  const days = (text: string) => {
    const read = readConfig({ PAGER_EVENT_RETENTION_DAYS: text });
    return read.ok ? read.config.eventRetentionDays : read.problems;
  };
  assert.deepEqual([days(''), days('0'), days('30')], [90, 0, 30]);
  const message = 'PAGER_EVENT_RETENTION_DAYS must be a whole number of days, up to 36500';
  for (const text of ['-1', '1.5', 'ninety', '90d', '40000'])
    assert.deepEqual(days(text), [message]);
});

test('how much of events is stored in a day is a whole number of MiB, or without a limit', () => {
  const bytes = (text: string) => {
    const read = readConfig({ PAGER_EVENT_STORAGE_MIB_PER_DAY: text });
    return read.ok ? read.config.eventStorageBytes : read.problems;
  };
  assert.deepEqual([bytes(''), bytes('0'), bytes('100')], [2_147_483_648, null, 104_857_600]);
  const message =
    'PAGER_EVENT_STORAGE_MIB_PER_DAY must be a whole number of MiB, up to 1000000000, or 0 for no limit';
  for (const text of ['-1', '1.5', '2 GiB', '9999999999']) assert.deepEqual(bytes(text), [message]);
});

test('how long a server drains is a whole number of seconds, and not at all by default', () => {
  const seconds = (text: string) => {
    const read = readConfig({ PAGER_DRAIN_SECONDS: text });
    return read.ok ? read.config.drainSeconds : read.problems;
  };
  assert.deepEqual([seconds(''), seconds('0'), seconds('10'), seconds('300')], [0, 0, 10, 300]);
  const message = 'PAGER_DRAIN_SECONDS must be a whole number of seconds, up to 300';
  for (const text of ['-1', '1.5', '10s', '301']) assert.deepEqual(seconds(text), [message], text);
});

test('links begin with the port that is listened on, unless an address is given', () => {
  const publicUrl = (environment: Record<string, string>) => {
    const read = readConfig(environment);
    return read.ok ? read.config.publicUrl : read.problems;
  };
  assert.equal(publicUrl({}), 'http://localhost:8080');
  assert.equal(publicUrl({ PAGER_LISTEN: '0.0.0.0:9090' }), 'http://localhost:9090');
  const value = { PAGER_LISTEN: '[::1]:9090', PAGER_PUBLIC_URL: 'https://pager.example.com/' };
  assert.equal(publicUrl(value), 'https://pager.example.com');
});

test('all problems are told at once', () => {
  const read = readConfig({ PAGER_LISTEN: 'x', PAGER_NONSENSE: '1', PAGER_LOG_LEVEL: 'y' });
  assert.equal(read.ok ? 0 : read.problems.length, 3);
});

test('what the server could not work with is a problem, by its name', () => {
  const wrong = {
    PAGER_PUBLIC_URL: 'https://pager.example.com/?team=1',
    PAGER_SMTP_URL: 'smtp://',
    PAGER_MAIL_FROM: 'Pager <pager@münchen.example>',
    PAGER_EMAIL_DOMAIN: 'alerts example.com',
    PAGER_SECRET_KEY: 'x'.repeat(31),
    PAGER_BOOTSTRAP_ORGANIZATION: 'x'.repeat(256),
    PAGER_BOOTSTRAP_EMAIL: '<owner@example.com>',
    PAGER_BOOTSTRAP_PASSWORD: 'x'.repeat(129),
    PAGER_BOOTSTRAP_API_KEY: 'k'.repeat(23),
  };
  for (const [name, value] of Object.entries(wrong)) {
    const read = readConfig({ [name]: value });
    assert.ok(!read.ok && read.problems.some((problem) => problem.startsWith(`${name} `)), name);
  }
});

test('what is set for clients of the API beside it is no mistake of the server', () => {
  const ofClients = {
    PAGER_API_KEY: 'pgr_x',
    PAGER_BASE_URL: 'x',
    PAGER_TEAM_ID: 'x',
    PAGER_WORKSPACE: 'x',
  };
  assert.equal(readConfig(ofClients).ok, true);
});

test('a certificate for alert mail is read before anything starts, with its key', () => {
  const problems = (environment: Record<string, string>) => {
    const read = readConfig(environment);
    return read.ok ? [] : read.problems;
  };
  const [cert, key] = ['PAGER_EMAIL_TLS_CERT_FILE', 'PAGER_EMAIL_TLS_KEY_FILE'];
  assert.deepEqual(problems({ [cert]: '/x.pem' }), [`${key} is required with ${cert}`]);
  assert.deepEqual(problems({ [key]: '/x.pem' }), [`${cert} is required with ${key}`]);
  const [problem = ''] = problems({ [cert]: '/nowhere/x.pem', [key]: '/nowhere/y.pem' });
  assert.match(problem, /^PAGER_EMAIL_TLS_CERT_FILE and its key cannot be used: ENOENT/);
});

test('a setting that there is not is told with the one that was probably meant', () => {
  const problemsWith = (name: string) => {
    const read = readConfig({ [name]: '1' });
    return read.ok ? [] : read.problems;
  };
  const suggestion = {
    PAGER_PORT: 'PAGER_LISTEN',
    PAGER_HOST: 'PAGER_LISTEN',
    PAGER_URL: 'PAGER_PUBLIC_URL',
    PAGER_DB_URL: 'PAGER_DATABASE_URL',
    PAGER_DATABASE: 'PAGER_DATABASE_URL',
    PAGER_SMTP_HOST: 'PAGER_SMTP_URL',
    PAGER_LISTENS: 'PAGER_LISTEN',
    PAGER_DATADIR: 'PAGER_DATA_DIR',
    PAGER_LOG_LEVLE: 'PAGER_LOG_LEVEL',
  };
  for (const [name, setting] of Object.entries(suggestion))
    assert.deepEqual(problemsWith(name), [
      `${name} is not a Pager setting. Did you mean ${setting}?`,
    ]);
  assert.deepEqual(problemsWith('PAGER_NONSENSE'), ['PAGER_NONSENSE is not a Pager setting.']);
});

test('variables that Kubernetes sets are told with how to be rid of them', () => {
  const read = readConfig({ PAGER_SERVICE_HOST: '10.0.0.1', PAGER_PORT_80_TCP: 'x' });
  assert.equal(read.ok, false);
  for (const problem of read.ok ? [] : read.problems) assert.match(problem, /enableServiceLinks/);
});

test('what is suggested in place of an unknown setting is a setting', () => {
  const names = new Set(settings.map(({ name }) => name));
  for (const name of Object.keys(aliases)) assert.ok(names.has(name), name);
});

test('the log is for eyes on a terminal, and for programs elsewhere, unless it is set', () => {
  const format = (PAGER_LOG_FORMAT: string, isTerminal: boolean) => {
    const read = readConfig({ PAGER_LOG_FORMAT }, { isTerminal });
    return read.ok ? read.config.logFormat : read.problems;
  };
  assert.deepEqual([format('', true), format('', false)], ['text', 'json']);
  assert.deepEqual([format('json', true), format('text', false)], ['json', 'text']);
  assert.deepEqual(format('pretty', true), ['PAGER_LOG_FORMAT must be json or text']);
});
