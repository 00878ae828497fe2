import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knowsProxies, proxyFor } from './proxy.ts';

const environment = {
  HTTPS_PROXY: 'http://ada:secret@proxy.test:3128',
  http_proxy: 'proxy.test:3129',
};
const by = (url: string, more: NodeJS.ProcessEnv = {}) =>
  proxyFor(new URL(url), { ...environment, ...more });

test('the variable of the protocol names the proxy, whose password is not its address', () => {
  assert.deepEqual(by('https://pager.test/api/v1'), {
    url: 'http://ada:secret@proxy.test:3128',
    address: 'http://proxy.test:3128',
    variable: 'HTTPS_PROXY',
  });
  const plain = by('http://pager.test/api/v1');
  assert.ok(plain !== null && typeof plain === 'object');
  assert.deepEqual([plain.url, plain.variable], ['http://proxy.test:3129', 'HTTP_PROXY']);
  assert.equal(proxyFor(new URL('https://pager.test'), { HTTP_PROXY: 'http://proxy.test' }), null);
});

test('what is no address of a proxy is told by its variable', () => {
  for (const HTTPS_PROXY of ['socks5://proxy.test', 'http://', 'http://a b'])
    assert.match(String(by('https://pager.test', { HTTPS_PROXY })), /^HTTPS_PROXY is not/);
});

const exceptions: readonly (readonly [string, string, boolean])[] = [
  ['https://pager.test', '*', true],
  ['https://pager.test', 'pager.test', true],
  ['https://a.pager.test', 'pager.test', true],
  ['https://otherpager.test', 'pager.test', false],
  ['https://a.pager.test', '.pager.test', true],
  ['https://a.pager.test', '*.pager.test', true],
  ['https://pager.test', '.pager.test', false],
  ['https://pager.test', 'a.test, PAGER.test', true],
  ['https://pager.test:8443', 'pager.test:8443', true],
  ['https://pager.test', 'pager.test:8443', false],
  ['https://pager.test', 'pager.test:443', true],
  ['https://10.1.2.3', '10.0.0.0/8', true],
  ['https://11.1.2.3', '10.0.0.0/8', false],
  ['https://10.1.2.3', '10.1.2.3', true],
  ['https://[fd00::1]', 'fd00::/8', true],
  ['https://[fd00::1]', 'fd00::1', true],
  ['https://10.1.2.3', '10.0.0.0/99', false],
  ['https://pager.test', '', false],
  ['https://localhost:8080', '', true],
  ['https://127.0.0.1:8080', '', true],
  ['https://[::1]:8080', '', true],
];

for (const [url, NO_PROXY, isExcepted] of exceptions)
  test(`${url} ${isExcepted ? 'has no proxy' : 'has one'} with NO_PROXY=${NO_PROXY}`, () => {
    assert.equal(by(url, { NO_PROXY }) === null, isExcepted);
  });

test('a runtime is known to have proxies by its version', () => {
  const having = (versions: object) => knowsProxies(versions as NodeJS.ProcessVersions);
  for (const node of ['22.21.0', '24.5.1', '26.10.0']) assert.ok(having({ node }), node);
  for (const node of ['20.20.2', '22.20.0', '23.9.0', '24.4.1']) assert.ok(!having({ node }), node);
  assert.ok(having({ node: '24.3.0', bun: '1.4.5' }));
});
