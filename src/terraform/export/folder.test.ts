import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ignoring, writeFiles } from './folder.ts';

async function createFolder() {
  const path = await mkdtemp(join(tmpdir(), 'pager-folder-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

const file = (name: string, text = 'new') => ({ name, text, isSecret: false });

test('what is to be replaced goes, and what is not stays', async () => {
  await using folder = await createFolder();
  for (const name of ['a', 'b', 'c']) await writeFile(join(folder.path, name), 'old');
  await writeFiles(folder.path, [file('a'), file('d')], ['a', 'b', 'missing']);
  assert.deepEqual((await readdir(folder.path)).sort(), ['a', 'c', 'd']);
  assert.equal(await readFile(join(folder.path, 'a'), 'utf8'), 'new');
});

test('a file that cannot be moved into place takes back those that were', async () => {
  await using folder = await createFolder();
  await writeFile(join(folder.path, 'a'), 'old');
  await mkdir(join(folder.path, 'b'));
  // The second of one name has nothing left to move.
  const failing = writeFiles(folder.path, [file('a'), file('c'), file('c')], ['a', 'b']);
  await assert.rejects(failing, { code: 'ENOENT' });
  assert.deepEqual((await readdir(folder.path)).sort(), ['a', 'b']);
  assert.equal(await readFile(join(folder.path, 'a'), 'utf8'), 'old');
});

test('a file that cannot be written leaves everything as it was', async () => {
  await using folder = await createFolder();
  await writeFile(join(folder.path, 'a'), 'old');
  const failing = writeFiles(folder.path, [file('a'), file('missing/b')], ['a']);
  await assert.rejects(failing, { code: 'ENOENT' });
  assert.deepEqual(await readdir(folder.path), ['a']);
  assert.equal(await readFile(join(folder.path, 'a'), 'utf8'), 'old');
});

test('a name is put on the list of what git ignores, once', async () => {
  await using folder = await createFolder();
  const text = async () => (await ignoring(folder.path, 'secret')).text;
  assert.equal(await text(), 'secret\n');
  for (const [before, after] of [
    ['', 'secret\n'],
    ['other', 'other\nsecret\n'],
    ['other\n', 'other\nsecret\n'],
    ['secret\nother\n', 'secret\nother\n'],
  ] as const) {
    await writeFile(join(folder.path, '.gitignore'), before);
    assert.equal(await text(), after);
  }
});
