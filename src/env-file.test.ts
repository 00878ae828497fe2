import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { parseEnvFile, takeEnvFile } from './env-file.ts';

const run = promisify(execFile);
const template = join(import.meta.dirname, '..', 'release', 'systemd', 'pager.env');

describe('a file of settings', () => {
  const cases: Readonly<Record<string, readonly [text: string, value: string]>> = {
    'plain words': ['A=one two', 'one two'],
    'blanks around them': [' A =  one \t', 'one'],
    'what a shell takes as its own': [
      'A=postgres://a:b$c@d/e?f=1&g=2#h',
      'postgres://a:b$c@d/e?f=1&g=2#h',
    ],
    'single quotes': ['A=\'a "b" \\ $c & d \'', 'a "b" \\ $c & d '],
    'double quotes': ['A="a \'b\' \\"c\\" \\$d \\e"', 'a \'b\' "c" $d \\e'],
    'quotes in a row': ['A=\'a\'"b"c', 'abc'],
    'quotes within a word': ['A=it"s', 'it"s'],
    'a backslash': ['A=a\\ \\\\b', 'a \\b'],
    'a line that goes on': ['A=a\\\nb', 'ab'],
    'a quoted line that goes on': ['A="a\\\nb\nc"', 'ab\nc'],
    'an equals sign': ['A=b=c', 'b=c'],
    nothing: ['A=', ''],
    'lines of Windows': ['A=b\r\nB=c\r\n', 'b'],
    'comments around it': ['# A=x\n ; A=y\n#z\\\nA=z\nA=b # c\n', 'b # c'],
    'the last of several': ['A=b\nA=c', 'c'],
  };
  for (const [name, [text, value]] of Object.entries(cases))
    test(`has ${name}`, () => {
      const read = parseEnvFile(text);
      assert.equal(typeof read === 'string' ? read : read['A'], value);
    });

  test('that is none is refused by its line', () => {
    assert.equal(parseEnvFile('A=b\n\nexport B=c'), 'line 3 is not NAME=value');
    assert.equal(parseEnvFile('A=b\nsource other'), 'line 2 is not NAME=value');
    assert.equal(parseEnvFile('A=b\nB="c\n'), 'line 2: the quote of B is not closed');
  });

  test('as the release has it means the same to a shell', async () => {
    const text = (await readFile(template, 'utf8')).replaceAll(/^#(?=PAGER_)/gm, '');
    const read = parseEnvFile(text);
    assert.ok(typeof read !== 'string' && Object.keys(read).length > 5, `${read}`);
    await using files = await emptyFolder();
    const file = join(files.path, 'pager.env');
    await writeFile(file, text);
    const { stdout } = await run('env', ['-i', 'sh', '-ac', '. "$0"; env -0', file]);
    const pairs = stdout.split('\0').filter((one) => one.startsWith('PAGER_'));
    assert.deepEqual(
      pairs.sort(),
      Object.entries(read)
        .map((pair) => pair.join('='))
        .sort(),
    );
  });
});

async function emptyFolder() {
  const path = await mkdtemp(join(tmpdir(), 'pager-env-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

test('the flag may stand anywhere, and names a file that does not contradict', async () => {
  await using files = await emptyFolder();
  const file = join(files.path, 'pager.env');
  await writeFile(file, "PAGER_DATABASE_URL='postgres://a/b?c=1&d=2'\nTZ=UTC\n");
  const settings = { PAGER_DATABASE_URL: 'postgres://a/b?c=1&d=2', TZ: 'UTC' };
  const words = ['backup', 'x'];
  for (const taken of [
    ['--env-file', file, 'backup', 'x'],
    ['backup', `--env-file=${file}`, 'x'],
    ['backup', 'x', '--env-file', file],
  ])
    assert.deepEqual(await takeEnvFile(taken, { TZ: 'CET' }), { words, settings });
  assert.deepEqual(await takeEnvFile(words, {}), { words, settings: {} });
  const same = { PAGER_DATABASE_URL: settings.PAGER_DATABASE_URL };
  assert.deepEqual(await takeEnvFile(['--env-file', file], same), { words: [], settings });
  const other = await takeEnvFile(['--env-file', file], { PAGER_DATABASE_URL: 'postgres://other' });
  assert.match(String(other), /^PAGER_DATABASE_URL: the environment and .* have different values/);
  assert.match(String(await takeEnvFile(['--env-file'], {})), /needs a file/);
  const missing = await takeEnvFile(['--env-file', join(files.path, 'none')], {});
  assert.match(String(missing), /none cannot be read: ENOENT/);
});
