// What every declaration of a type has for those who connect its tool.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { withAddresses } from '../resources/guide-addresses.ts';
import { parseXml } from './body/xml.ts';
import { tools } from './index.ts';

const addresses = {
  url: 'https://pager.example.com/hooks/0123456789abcdef0123456789abcdef/push-events',
  email: '0123456789abcdef0123456789abcdef@pager.example.com',
};

test('a slug is made of words in lower case, and a name and a sentence stand beside it', () => {
  for (const { slug, name, description } of tools) {
    assert.match(slug, /^[a-z0-9]+(-[a-z0-9]+)*$/);
    assert.ok(slug.length <= 64 && name.trim() === name && name !== '', slug);
    assert.match(description, /^\S.*[^.\s]\.$/, slug);
  }
});

test('a name stands for one type, also in what other services call it', () => {
  const names = tools.map(({ name }) => name);
  assert.deepEqual(names, [...new Set(names)]);
  const others = tools.flatMap(({ knownAs = [] }) => knownAs);
  assert.deepEqual(others, [...new Set(others)]);
});

test('a guide has steps, and the address of the integration in one of its texts', () => {
  for (const { slug, guide } of tools) {
    assert.ok(guide.steps.length > 0, slug);
    for (const step of guide.steps) assert.match(step, /^\S[^\n]*\S$/, slug);
    const texts = [...guide.steps, ...(guide.snippets ?? []).map(({ text }) => text)];
    const place = slug === 'email' ? '{email}' : '{url}';
    assert.ok(
      texts.some((text) => text.includes(place)),
      `the guide of ${slug} lacks ${place}`,
    );
  }
});

test('a snippet with the addresses filled in is what its file holds', () => {
  for (const { slug, guide } of tools)
    for (const { file, text } of guide.snippets ?? []) {
      assert.ok(text.trim() !== '' && !text.endsWith('\n'), `${slug}: ${file}`);
      const fault = faultIn(file, withAddresses(text, addresses));
      assert.equal(fault, undefined, `${slug}: ${file}: ${fault}`);
    }
});

test('a snippet that its file cannot hold is noticed', () => {
  const wrong = { 'a.json': '{', 'a.yaml': 'a: [', 'a.xml': '<a>', 'a.ini': 'x', 'a.sh': 'if' };
  for (const [file, text] of Object.entries(wrong)) assert.ok(faultIn(file, text), file);
  assert.ok(faultIn('notify', '#!/bin/sh\nif'));
});

/** Undefined: there is none, or nothing is known of such files. */
function faultIn(file: string, text: string): string | undefined {
  const kind = /^#!.*\b(ba)?sh\b/.test(text) ? 'sh' : /\.(\w+)$/.exec(file)?.[1];
  switch (kind) {
    case 'json':
      try {
        JSON.parse(text);
        return undefined;
      } catch (error) {
        return `${error}`;
      }
    case 'yaml':
    case 'yml':
      return parseAllDocuments(text).flatMap((each) => each.errors)[0]?.message;
    case 'xml':
      return parseXml(text) === null ? 'is not well-formed' : undefined;
    case 'ini':
      return text
        .split('\n')
        .find((line) => !/^\s*($|[;#]|\[[^\]]+\]\s*$|[^=\s][^=]*=)/.test(line));
    case 'sh': {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
      return status === 0 ? undefined : stderr;
    }
    default:
      return undefined;
  }
}
