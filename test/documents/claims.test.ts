// What the documentation claims and a test can hold: names of commands, settings, scripts and routes,
// headings that links lead to, what channels and pages there are, and how many.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pagingChannels } from '../../bin/channels-table.ts';
import project from '../../package.json' with { type: 'json' };
import { integrationTypes } from '../../src/alerts/index.ts';
import { records } from '../../src/resources/index.ts';
import { clientSettings, settings } from '../../src/settings.ts';
import { dashboardRoutes } from '../dashboard-routes.ts';
import { anyDatabase } from '../database.ts';
import { startInProcess } from '../system/in-process.ts';
import { root } from './checkout.ts';

const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const all = (await Array.fromAsync(glob('{*.md,docs/**/*.md}', { cwd: root }))).sort();
/** Decisions and changes tell of how it was then. */
const papers = all.filter((file) => !/^(docs\/decisions\/|CHANGELOG)/.test(file));
const readme = textOf('README.md');
const routesOfDashboard = dashboardRoutes.map((path) => path.replaceAll(/\$\w+/g, '<>'));

/** Addresses of sign-in and of other services, which the API's contract does not have. */
const sources = await Array.fromAsync(glob('src/api/**/*.ts', { cwd: root }));
const others = sources
  .flatMap((file) => Array.from(textOf(file).matchAll(/'(\/[\w/:.*-]+)'/g)))
  .map(([, path = '']) => segmentsOf(path));

/** Each match of the pattern's first group that is not among what there is, with its file. */
function unknown(pattern: RegExp, isKnown: (name: string) => boolean): readonly string[] {
  return papers.flatMap((file) =>
    [...textOf(file).matchAll(pattern)]
      .map(([, name = '']) => name)
      .filter((name) => !isKnown(name))
      .map((name) => `${file}: ${name}`),
  );
}

test('every link to a heading leads to one', () => {
  const headings = new Map(all.map((file) => [file, anchorsOf(textOf(file))]));
  const wrong = papers.flatMap((file) =>
    [...textOf(file).matchAll(/\]\(([^)\s#:]*)#([^)\s]+)\)/g)]
      .filter(([, target = '', anchor = '']) => {
        const other = target === '' ? file : join(dirname(file), target);
        return headings.get(other)?.has(anchor) === false;
      })
      .map(([link]) => `${file}: ${link}`),
  );
  assert.deepEqual(wrong, []);
});

test('every setting that the documentation names is read', () => {
  const ofTests = ['PAGER_TEST_SEED', 'PAGER_FREEZE_KEYS'];
  const names = new Set([...settings.map(({ name }) => name), ...clientSettings, ...ofTests]);
  assert.deepEqual(
    unknown(/\b(PAGER_[A-Z_]*[A-Z])\b/g, (name) => names.has(name)),
    [],
  );
});

test('every npm script that the documentation names is there', () => {
  assert.deepEqual(
    unknown(/\bnpm run ([\w:-]+)/g, (name) => Object.hasOwn(project.scripts, name)),
    [],
  );
});

test('every command of pagerctl that the documentation names is there', () => {
  const usage = textOf('src/pagerctl.ts');
  const verbs = new Set(
    Array.from(usage.matchAll(/^ {2}([a-z-]+)(?: |$)/gm), ([, verb = '']) => verb),
  );
  assert.ok(verbs.has('serve') && verbs.has('ack'));
  assert.deepEqual(
    unknown(/(?:`|npx |\/)pagerctl ([a-z][a-z-]*)/g, (verb) => verbs.has(verb)),
    [],
  );
});

test('every route that the documentation names is there', () => {
  const { paths } = JSON.parse(textOf('docs/openapi.json')) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const ofApi = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => segmentsOf(`${method.toUpperCase()} ${path}`)),
  );
  const wrong = unknown(/`((?:GET|POST|PUT|PATCH|DELETE) \/(?:<[^>]+>|[^`\s?])*)/g, (route) => {
    const claimed = segmentsOf(route);
    const [, ...path] = claimed;
    return ofApi.some((one) => agree(claimed, one)) || others.some((one) => agree(path, one));
  });
  assert.deepEqual(wrong, []);
});

test('the README leads to every page of the documentation', async () => {
  const pages = all.filter((file) => /^docs\/(connections\/)?[\w-]+\.md$/.test(file));
  assert.ok(pages.length > 20);
  assert.deepEqual(
    pages.filter((page) => !readme.includes(`(${page}`)),
    [],
  );
});

test('the README counts the integration types', () => {
  const counts = Array.from(readme.matchAll(/\b(\d+) (?:tools|\[integration types\])/g));
  assert.equal(counts.length, 2);
  for (const [, count] of counts) assert.equal(Number(count), integrationTypes.length);
});

test('the channels that the README says pages go by are those of a server', async () => {
  await using server = await startInProcess(await anyDatabase(), {});
  const { body } = await server.api.send('GET /channels');
  const channels: readonly { channel: string; reason?: string }[] = body.data;
  assert.deepEqual(
    channels.filter(({ reason }) => reason !== 'Not available yet.').map(({ channel }) => channel),
    pagingChannels,
  );
});

test('the README and docs/operating.md name the policy that the first start creates', async () => {
  await using server = await startInProcess(await anyDatabase(), {});
  const [policy] = await server.api.list('escalation-policies');
  for (const text of [readme, textOf('docs/operating.md')])
    assert.ok(text.includes(`*${policy.name}*`), policy.name);
});

test('docs/dashboard.md lists the pages of the dashboard', () => {
  const listed = textOf('docs/dashboard.md')
    .split('\n')
    .filter((line) => line.startsWith('| `/'))
    .flatMap((line) => Array.from(line.split(' | ')[0]?.matchAll(/`([^`]+)`/g) ?? []))
    .map(([, path = '']) => path.replaceAll(/<\w+>/g, '<>'));
  // The first leads to the list, and one is opened by a link that a bot sends.
  const others = ['/', '/link/<>'];
  assert.deepEqual(listed.sort(), routesOfDashboard.filter((one) => !others.includes(one)).sort());
});

const settingsPages = ['organization', 'channels', 'api-keys', 'audit-log', 'quota', 'archive'];

test('all records and all settings have pages in the dashboard', () => {
  for (const { route } of records)
    assert.ok(
      routesOfDashboard.some((one) => one.startsWith(`/${route}`)),
      route,
    );
  for (const name of settingsPages)
    assert.ok(routesOfDashboard.includes(`/settings/${name}`), name);
});

/** As GitHub makes them of headings. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const prose = markdown.replaceAll(/^```[\s\S]*?^```/gm, '');
  const named = Array.from(markdown.matchAll(/<a id="([^"]+)">/g), ([, id = '']) => id);
  const headings = Array.from(prose.matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set([...named, ...headings]);
}

/** `GET /api/v1/users/:id` -> GET, users, <>. */
function segmentsOf(route: string): readonly string[] {
  const parameter = /^(?::\w+|\{\w+\}|<.+>|\.\.\.|…|\d+)$/;
  return route
    .replace('/api/v1/', '/')
    .split(/ \/|\//)
    .filter((segment) => segment !== '')
    .map((segment) => (parameter.test(segment) ? '<>' : segment));
}

/** A parameter of what is claimed may stand for a name, or be added to an address in the code. */
const agree = (claimed: readonly string[], known: readonly string[]): boolean =>
  known.length > 0 &&
  claimed.length >= known.length &&
  claimed.every((segment, index) => segment === '<>' || segment === known[index]);
