import assert from 'node:assert/strict';
import { test } from 'node:test';
import { returnPath, signInPath } from './return-path.ts';

test('a page of ours is found again, whatever stands in its address', () => {
  for (const page of ['/', '/on-calls/1', '/incidents/7?a=1&b=%22', '/docs/integrations/email']) {
    const { search } = new URL(signInPath(page), 'http://pager.test');
    assert.equal(returnPath(Object.fromEntries(new URLSearchParams(search))), page);
  }
});

test('no way leads to another host, to another scheme or to the API', () => {
  const elsewhere = [
    ...['//evil.example', '/\\evil.example', '\\\\evil.example', '/\t/evil.example'],
    ...['/.//evil.example', '/x/..//evil.example', '/%2e//evil.example', '///evil.example'],
    ...['https://evil.example', 'javascript:alert(1)', 'evil.example', ' //evil.example', ''],
    ...['/api/v1/users', '/docs/../api/v1/users', '/\n/evil.example', '//[', '/@evil\\@//x:y//'],
  ];
  for (const next of elsewhere) {
    const page = returnPath({ next });
    assert.equal(new URL(page, 'https://pager.test').origin, 'https://pager.test', next);
    assert.ok(!page.startsWith('/api/'), next);
  }
  for (const next of [undefined, ['/on-calls/1', '/on-calls/2']])
    assert.equal(returnPath({ next }), '/');
});
