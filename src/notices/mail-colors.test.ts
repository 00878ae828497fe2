import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { mailColors } from './mail-colors.ts';

const tokens = await readFile(new URL('../api/pages/tokens.css', import.meta.url), 'utf8');

test('mails have the colours of the pages', () => {
  const wanted = Object.keys(mailColors).map((name) => [name, colorsOf(name)]);
  assert.deepEqual(mailColors, Object.fromEntries(wanted));
});

function colorsOf(name: string): readonly string[] {
  const value = new RegExp(`--color-${name}: light-dark\\((.*)\\);`).exec(tokens)?.[1] ?? '';
  return [...value.matchAll(/oklch\(([^)]+)\)/g)].map(([, oklch = '']) => {
    const [lightness = 0, chroma = 0, hue = 0] = oklch.split(' ').map(Number);
    return hexOf(lightness, chroma, (hue * Math.PI) / 180);
  });
}

/** By the matrices of CSS Color 4. */
function hexOf(lightness: number, chroma: number, hue: number): string {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const bytes = linear.map((value) => {
    const shown = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
    return Math.round(Math.min(1, Math.max(0, shown)) * 255);
  });
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
