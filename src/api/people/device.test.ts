import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceOf } from './device.ts';

const mozilla = 'Mozilla/5.0';
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test('a device is called by its browser and its system', () => {
  for (const [userAgent, device] of [
    [`${mozilla} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, 'Firefox on Linux'],
    [`${mozilla} (Windows NT 10.0) ${webkit} Chrome/150.0 Safari/537.36`, 'Chrome on Windows'],
    [
      `${mozilla} (Windows NT 10.0) ${webkit} Chrome/150.0 Safari/537.36 Edg/150.0`,
      'Edge on Windows',
    ],
    [
      `${mozilla} (Linux; Android 16; K) ${webkit} Chrome/150.0 Mobile Safari/537.36`,
      'Chrome on Android',
    ],
    [
      `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15`,
      'Safari on macOS',
    ],
    [
      `${mozilla} (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/150.0 Mobile/15E148 Safari/604.1`,
      'Chrome on iPhone',
    ],
    ['curl/8.14.1', 'curl'],
    ['Something (Linux)', 'Linux'],
    ['', null],
    ['x'.repeat(255), null],
  ] as const)
    assert.equal(deviceOf(userAgent), device, userAgent);
});
