import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import Fastify from 'fastify';
import { integrationTypes } from '../../../alerts/index.ts';
import { mountDocs } from '../../openapi/reference.ts';
import { mountGuides } from '../guides/routes.ts';
import { readCatalog } from './catalog.ts';
import { openingOf, renderMarkdown, sectionsOf } from './markdown.ts';
import { mountDocuments } from './routes.ts';
import { marked, searchDocuments, wordsOf } from './search.ts';

const root = join(import.meta.dirname, '../../../..');
const app = Fastify();
mountDocs(app, () => JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')));
mountDocuments(app);
mountGuides(app, {
  types: integrationTypes,
  records: { list: async () => [], read: async () => undefined },
  identify: async () => null,
  publicUrl: 'https://pager.example.com',
  addresses: { hooksUrl: 'https://pager.example.com/hooks', emailDomain: 'in.example.com' },
});

async function read(url: string) {
  const { statusCode: status, body, headers } = await app.inject(url);
  return { status, body, headers };
}

const linksIn = (html: string) =>
  Array.from(html.matchAll(/href="([^"]*)"/g), ([, href = '']) => href);

/** Of ours; the page at `from` is meant by a link that begins with #. */
function targetOf(href: string, from: string) {
  const { origin, pathname, hash } = new URL(href, `http://pager${from}`);
  return origin === 'http://pager'
    ? { path: pathname, anchor: decodeURIComponent(hash.slice(1)) }
    : null;
}

const list = await read('/docs');
const listed = linksIn(list.body).filter((href) => href.startsWith('/docs/'));

test('every document for users and operators is listed once, with its heading', async () => {
  const files = await Array.fromAsync(
    glob('docs/{*,connections/*,terraform/**/*}.md', { cwd: root }),
  );
  const own: Readonly<Record<string, string>> = { 'docs/terraform-export': '/docs/terraform' };
  const wanted = files
    .map((file) => file.replace(/\.md$/, ''))
    .filter((file) => file !== 'docs/rules')
    .map((file) => own[file] ?? `/${file}`);
  const others = ['/docs/readme', '/docs/changelog', '/docs/integrations', '/docs/api-reference'];
  assert.deepEqual(listed.toSorted(), [...wanted, ...others].sort());
  assert.equal(list.status, 200);
  assert.equal((await read('/docs/')).body, list.body);
  assert.match(list.body, /<a href="\/docs\/terraform">Export to Terraform<\/a>/);
});

test('the list names for whom a document is as README.md does', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const rows = Array.from(readme.matchAll(/^\| (People|Team|Operators)(.*?) \| (.*) \|$/gm));
  assert.equal(rows.length, 4);
  for (const [, first = '', rest = '', links = ''] of rows) {
    const title = `For ${first.toLowerCase()}${rest}`;
    const section = list.body.split(`<h2>${title}</h2>`)[1]?.split('<h2>')[0] ?? '';
    const named = Array.from(links.matchAll(/\]\(docs\/([\w-]+)\.md\)/g), ([, name]) => name);
    const inFolders = ['terraform-export'];
    for (const name of named.filter((one = '') => !inFolders.includes(one)))
      assert.ok(section.includes(`href="/docs/${name}"`), `${title}: ${name}`);
  }
});

test('every document is a page without scripts, whose links lead to pages and headings', async () => {
  const pages = new Map<string, Awaited<ReturnType<typeof read>>>();
  const pageAt = async (path: string) => {
    const page = pages.get(path) ?? (await read(path));
    pages.set(path, page);
    return page;
  };
  for (const path of listed) {
    const { status, body, headers } = await pageAt(path);
    assert.equal(status, 200, path);
    assert.match(body, /<h1[ >]/, path);
    assert.doesNotMatch(body, /<script|<!-- |\]\(/, path);
    assert.match(String(headers['content-security-policy']), /^default-src 'none'/);
    const ids = Array.from(body.matchAll(/ id="([^"]+)"/g), ([, id]) => id);
    assert.deepEqual(ids, [...new Set(ids)], path);
    for (const href of linksIn(body)) {
      const target = targetOf(href, path);
      if (target === null || target.path === '/') continue;
      if (!/^\/(docs|openapi)/.test(target.path)) continue;
      const { status, body: other } = await pageAt(target.path);
      assert.equal(status, 200, `${path} links to ${href}`);
      const { anchor } = target;
      assert.ok(anchor === '' || other.includes(` id="${anchor}"`), `${path} links to ${href}`);
    }
  }
});

test('a link to a file that is not served is text', async () => {
  const { body } = await read('/docs/contacts');
  assert.doesNotMatch(body, /decisions\//);
  assert.doesNotMatch(body, /href="(?!\/|#|https?:)/);
});

test('what webhooks send is served as files', async () => {
  const { status, body, headers } = await read('/docs/webhooks/incident.json');
  assert.equal(status, 200);
  assert.ok(JSON.parse(body));
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
});

test('an unknown document is answered with 404 and the list', async () => {
  for (const path of [
    '/docs/%3Cb%3E',
    '/docs/rules',
    '/docs/decisions/0007-readings',
    '/docs/..%2fx',
  ]) {
    const { status, body } = await read(path);
    assert.equal(status, 404, path);
    assert.ok(body.includes('<p role="alert">There is no document /docs/'));
    assert.ok(body.includes('href="/docs/operating"'));
  }
});

const rendered = (markdown: string) =>
  renderMarkdown(markdown, (link) => (link.startsWith('http') ? link : null)).html.trim();

test('raw HTML is text, but for comments and anchors', () => {
  const cases = [
    ['a <b onclick="x">b</b>', '<p>a &lt;b onclick=&quot;x&quot;&gt;b&lt;/b&gt;</p>'],
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['a <!-- hidden --> b', '<p>a  b</p>'],
    ['<a id="nested--x"></a>', '<p><a id="nested--x"></a></p>'],
    ['<a id="x" href="y">z</a>', '<p>&lt;a id=&quot;x&quot; href=&quot;y&quot;&gt;z</a></p>'],
    ['`<i>`', '<p><code>&lt;i&gt;</code></p>'],
    ['```\n<i>\n```', '<pre><code>&lt;i&gt;</code></pre>'],
    ['[x](javascript:alert(1))', '<p>x</p>'],
    [
      '[`x`](https://a.example/"b)',
      '<p><a href="https://a.example/&quot;b"><code>x</code></a></p>',
    ],
    ['![<i>](https://a.example/i.png)', '<p>&lt;i&gt;</p>'],
  ];
  for (const [markdown = '', html] of cases) assert.equal(rendered(markdown), html, markdown);
});

test('headings have the ids that GitHub gives them', () => {
  const html = rendered('# `a_b` & [C d](e.md)\n\n## Twice\n\n## Twice');
  assert.deepEqual(
    Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id),
    ['a_b--c-d', 'twice', 'twice-1'],
  );
});

test('a document opens with its heading and a first sentence, if it has one', () => {
  const of = (markdown: string) => openingOf(markdown);
  const title = 'A b';
  assert.deepEqual(of('---\nx: y\n---\n\n# A `b`\n\nSee [c](d.md). More.'), {
    title,
    summary: 'See c.',
  });
  assert.deepEqual(of('# A b\n\nDo it so:\n\n- x'), { title, summary: 'Do it so.' });
  assert.deepEqual(of('# A b\n\n## C\n\nText.'), { title, summary: '' });
});

test('the sections of every document begin at headings of its page', async () => {
  const groups = await readCatalog();
  for (const { path, rendered: page, sections } of groups.flatMap(({ documents }) => documents)) {
    const ids = new Set(page().headings.map(({ id }) => id));
    const own = sections().filter(({ id }) => id !== '');
    assert.ok(own.length > 0, path);
    for (const { id } of own) assert.ok(ids.has(id), `${path}#${id}`);
  }
});

test('a search finds titles, headings and text, and leads to the heading', async () => {
  const { status, body, headers } = await read('/docs?q=Storage%20BUDGET');
  assert.equal(status, 200);
  assert.match(String(headers['content-security-policy']), /^default-src 'none'/);
  assert.doesNotMatch(body, /<script/);
  assert.match(body, /<p role="status">\d+ results/);
  assert.match(
    body,
    /<input id="q" name="q" type="search" maxlength="200" value="Storage BUDGET">/,
  );
  const results = linksIn(body).filter((href) => href.startsWith('/docs/') && href.includes('#'));
  assert.ok(results.length > 3);
  for (const href of results) {
    const { pathname, hash } = new URL(href, 'http://pager');
    const page = await read(pathname);
    assert.ok(page.body.includes(` id="${decodeURIComponent(hash.slice(1))}"`), href);
  }
  const [first] = linksIn((await read('/docs?q=routing+rules')).body).filter((href) =>
    href.startsWith('/docs/'),
  );
  assert.match(first ?? '', /^\/docs\/routing-rules/);
  assert.equal((await read('/docs?q=%20')).body, list.body);
});

test('what is searched for is text, however odd, and finds nothing where nothing is', async () => {
  for (const text of [
    '<b>"x"',
    '(.*)+$',
    '[',
    '\\',
    '%00',
    'ß'.repeat(5_000),
    'a '.repeat(3_000),
    // Its half is at the end of what is searched for.
    `${'a'.repeat(199)}😀`,
  ]) {
    const { status, body } = await read(`/docs?q=${encodeURIComponent(text)}`);
    assert.equal(status, 200, text);
    assert.doesNotMatch(body, /<b>/, text);
  }
  const none = (await read('/docs?q=zzzyx')).body;
  assert.match(none, /No document contains all of these words/);
  assert.match(none, /href="\/docs\/integrations\?q=zzzyx"/);
  assert.equal((await read('/docs?q=a&q=b')).status, 200);
});

const documentOf = (path: string, markdown: string) => ({
  path,
  ...openingOf(markdown),
  sections: () => sectionsOf(markdown),
});

test('results with words in the title come first, then those with words in a heading', () => {
  const documents = [
    documentOf('/a', '# Alpha\n\nText about a quota.\n\n## Other\n\nNothing.'),
    documentOf('/b', '# Beta\n\n## The quota\n\n- Item\n- Another item'),
    documentOf('/c', '# Quota\n\nFirst.\n\n## Limits\n\n| A | B |\n|---|---|\n| `x` | 1 |'),
  ];
  const search = (text: string) => searchDocuments(documents, wordsOf(text)).results;
  assert.deepEqual(
    search('quota').map(({ address }) => address),
    ['/c#quota', '/b#the-quota', '/a#alpha'],
  );
  assert.deepEqual(search('QUOTA 1'), [
    { address: '/c#limits', title: 'Quota', heading: 'Limits', line: 'x · 1' },
  ]);
  assert.deepEqual(search('item another')[0]?.line, 'Another item');
  assert.deepEqual(search(''), []);
});

test('a long line is cut around its first match, and matches are marked', () => {
  const text = `${'before '.repeat(60)}needle ${'after '.repeat(60)}`;
  const [result] = searchDocuments([documentOf('/a', `# A\n\n${text}`)], ['needle']).results;
  assert.match(result?.line ?? '', /^… before .*needle after .* …$/);
  assert.ok((result?.line.length ?? 0) < 240);
  assert.deepEqual(marked('A.b a+b', ['a+b']), [
    { text: 'A.b ', isMatch: false },
    { text: 'a+b', isMatch: true },
  ]);
});

test('of more results than a page has, the best are shown', () => {
  const many = Array.from({ length: 60 }, (_, index) => `## Part ${index}\n\nword\n`).join('\n');
  const { results, more } = searchDocuments([documentOf('/a', `# A\n\n${many}`)], ['word']);
  assert.deepEqual([results.length, more], [40, 20]);
});
