// The style guide that fails: what must stay true of the repository and no tool checks.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { identifiersIn, wordsOf } from './identifiers.ts';
import { coveredPaths, phrases, withoutComments } from './phrases.ts';

const root = join(import.meta.dirname, '..');
const code = await find('{src,bin,test,bench}/**/*.{js,ts,tsx}');
const product = code.filter((file) => file.startsWith('src/') && !file.endsWith('.test.ts'));
const papers = await find('{*.md,docs/**/*.md}');
const migrations = await find('migrations/*');

/** What the files of a folder may import of the others, beside src/limits; bin/, src/*.ts, src/server and src/commands compose, and may all. */
const layers: Readonly<Record<string, readonly string[]>> = {
  resources: [],
  oncall: ['resources'],
  rules: ['resources', 'oncall', 'alerts'],
  alerts: [],
  incidents: ['resources', 'oncall', 'rules', 'alerts'],
  shifts: ['resources', 'oncall', 'rules', 'incidents'],
  notices: ['resources', 'oncall', 'rules', 'incidents', 'shifts'],
  limits: [],
  admission: [],
  engine: ['admission', 'resources', 'oncall', 'rules', 'alerts', 'incidents', 'shifts', 'notices'],
  storage: ['resources', 'oncall', 'rules', 'alerts', 'incidents', 'shifts', 'notices', 'engine'],
  replies: [
    ...['resources', 'oncall', 'rules', 'alerts', 'incidents', 'shifts', 'notices', 'engine'],
    'storage',
  ],
  // Vendors read what people answer into the port of src/replies.
  channels: [
    ...['resources', 'oncall', 'rules', 'alerts', 'incidents', 'shifts', 'notices', 'engine'],
    'replies',
  ],
  'what-if': ['resources', 'oncall', 'rules', 'alerts', 'incidents', 'shifts', 'notices', 'engine'],
  workers: ['engine', 'admission'],
  // Decision 0012: reads, and people's own records, need no port between them.
  api: [
    'resources',
    'oncall',
    'rules',
    'alerts',
    'incidents',
    'shifts',
    'notices',
    'engine',
    'what-if',
    'storage',
    'replies',
    'workers',
    'admission',
  ],
  client: ['resources', 'admission'],
  terraform: ['resources', 'oncall', 'client', 'admission'],
  // Copies a record as the export writes it.
  dashboard: ['resources', 'oncall', 'client', 'terraform'],
};
const composing = ['server', 'commands'];
/** With their plurals and their forms in -s, -d, -ed, -ing and -er. */
const replacedWords = formsOf([
  ...['tell', 'told', 'untold', 'retold', 'whom', 'say', 'said', 'ask', 'sought', 'given', 'found'],
  ...['desk', 'receiver', 'door', 'unreached', 'judge', 'standing', 'upkeep', 'woken', 'fire'],
  ...['look', 'watch', 'goes', 'meant', 'kept', 'spoil', 'spoilt'],
]);
/** An alert of Alertmanager is firing. */
replacedWords.delete('firing');
/** Names that were stored once, and those of Alertmanager. */
const foreignNames: ReadonlySet<string> = new Set([
  'src/storage/database/migrate.test.ts: says',
  'src/storage/ledger/rename-entries.ts: step_fired',
  'src/storage/ledger/rename-entries.ts: told',
  'src/storage/ledger/rename-entries.test.ts: step_fired',
  'src/storage/ledger/rename-entries.test.ts: told',
  'test/old-ledger.ts: says',
  'test/old-ledger.ts: stormToldAt',
  'test/old-ledger.ts: told',
  'test/samples/prometheus-family.ts: receiver',
  'test/system/alertmanager-process.ts: receiver',
  'test/system/alertmanager-process.ts: receivers',
]);
const pure = ['resources', 'oncall', 'rules', 'alerts', 'incidents', 'shifts', 'notices'];
const purePackages = ['typebox', 're2js'];

test('a folder imports only what is below it', () => {
  const wrong = product.flatMap((file) => {
    const folder = folderOf(file);
    const allowed = folder === null ? null : layers[folder];
    if (folder === null || composing.includes(folder)) return [];
    if (!allowed) return [`${file}: the folder src/${folder} has no layer`];
    return importsOf(file).flatMap((target) => {
      if (!target.startsWith('.')) return [];
      const imported = join(dirname(file), target);
      const other = imported.startsWith('src/') ? folderOf(imported) : null;
      const isFine = other !== null && [folder, 'limits', ...allowed].includes(other);
      return isFine ? [] : [`${file} imports ${target}`];
    });
  });
  assert.deepEqual(wrong, []);
});

test('pure folders import no package but the pure ones', () => {
  const wrong = product.filter(isPure).flatMap((file) =>
    importsOf(file)
      .filter((target) => !target.startsWith('.') && !purePackages.includes(target))
      .map((target) => `${file} imports ${target}`),
  );
  assert.deepEqual(wrong, []);
});

test('pure folders ask neither the time, nor luck, nor the world', () => {
  const banned = [
    /\bMath\.random\b/,
    /\bTemporal\.Now\b/,
    /\bperformance\.now\b/,
    /\bcrypto\./,
    /\bglobalThis\b/,
    /\b(setInterval|setImmediate|queueMicrotask|structuredClone)\(/,
  ];
  assert.deepEqual(
    linesOf(product.filter(isPure)).filter(({ line }) => banned.some((one) => one.test(line))),
    [],
  );
});

test('every limit that is told is kept by some file', () => {
  const limits = product.filter((file) => file.startsWith('src/limits/'));
  const others = product.filter((file) => !file.startsWith('src/limits/')).map(textOf);
  const missing = limits.flatMap((file) => {
    const name = /^export const (\w+Limits) = valuesOf/m.exec(textOf(file))?.[1];
    if (name === undefined) return [];
    const limits = [...textOf(file).matchAll(/^ {2}(\w+): /gm)].map(([, key]) => `${name}.${key}`);
    return limits.filter((limit) => !others.some((text) => text.includes(limit)));
  });
  assert.deepEqual(missing, []);
});

test('a number that is called the most of something is told among the limits', () => {
  // What records hold is told by the API, and what vendors take by the vendors.
  const stating = /^src\/(limits|resources|notices|client|terraform)\//;
  const most = /^(?:export )?const \w*(?:Max|MAX|AtMost)(?::[^=]+)? = [\d(]/;
  assert.deepEqual(
    linesOf(product.filter((file) => !stating.test(file))).filter(({ line }) => most.test(line)),
    [],
  );
});

test('every path that a Markdown file names exists', () => {
  const missing = papers.flatMap((file) => {
    const text = prose(file);
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target.replace(/#.*/, ''))
      .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
      .map((target) => join(dirname(file), target));
    const named = [...text.matchAll(/`((?:src|bin|test|bench|docs|migrations)\/[\w./-]*)`/g)].map(
      ([, target = '']) => target,
    );
    return [...links, ...named]
      .filter((target) => !existsSync(join(root, target)))
      .map((target) => `${file}: ${target}`);
  });
  assert.deepEqual(missing, []);
});

test('every Markdown file begins with its one heading of the first level', () => {
  const wrong = papers.filter((file) => {
    const headings = prose(file).match(/^# /gm) ?? [];
    return headings.length !== 1 || !prose(file).startsWith('# ');
  });
  assert.deepEqual(wrong, []);
});

test('decision records are numbered, and have their four parts', () => {
  const records = papers.filter((file) => file.startsWith('docs/decisions/'));
  const wrong = records.filter((file) => {
    const number = /^docs\/decisions\/(\d{4})-[a-z0-9-]+\.md$/.exec(file)?.[1];
    const parts =
      prose(file)
        .match(/^## .+$/gm)
        ?.join() ?? '';
    const isWhole = parts === '## Context,## Decision,## Consequences,## Rejected';
    return number === undefined || !textOf(file).startsWith(`# ${number} `) || !isWhole;
  });
  assert.deepEqual(wrong, []);
  const numbers = records.map((file) => /\d{4}/.exec(file)?.[0]);
  assert.equal(new Set(numbers).size, records.length, 'two have the same number');
  assert.ok(records.length > 0);
});

test('migrations are numbered without a gap and named after what they add', () => {
  const wrong = migrations.filter((file, index) => {
    const number = String(index + 1).padStart(4, '0');
    return !new RegExp(`^migrations/${number}-[a-z0-9]+(-[a-z0-9]+)*\\.sql$`).test(file);
  });
  assert.deepEqual(wrong, []);
  assert.ok(migrations.length > 0);
});

test('no parameter defaults to silence: logs and reports of faults are always passed', () => {
  const silent = /\b(log|faults|failed)\?:|(=|\?\?) silentLog\b/;
  assert.deepEqual(
    product.filter((file) => silent.test(textOf(file))),
    [],
  );
});

test('a block that disposes of something awaits what it returns', () => {
  // Else it is disposed of while the work goes on: an audit lost its database after five seconds.
  const wrong = [...product, ...code.filter((file) => file.startsWith('bin/'))].flatMap((file) =>
    unawaitedIn(textOf(file).split('\n')).map((line) => `${file}: ${line}`),
  );
  assert.deepEqual(wrong, []);
});

test('no literal is spread into another, where unknown properties are not checked', () => {
  const wrong = code.filter((file) => /\.\.\.\s*\(?\{/.test(textOf(file)));
  assert.deepEqual(wrong, []);
});

test('every insert names its columns, or a column added later breaks the release before', () => {
  const named = String.raw`\(|\$\{(?:sql|tx|transaction)\(|\$\{namedRows\(`;
  const nameless = new RegExp(
    String.raw`\binsert into [\w.]+(?: as \w+)?\s+(?!${named}|as )\S+`,
    'g',
  );
  const wrong = product.flatMap((file) =>
    [...textOf(file).matchAll(nameless)].map(([text]) => `${file}: ${text}`),
  );
  assert.deepEqual(wrong, []);
});

test('no identifier uses a word that decision 0038 replaced', () => {
  const wrong = code.flatMap((file) =>
    [...new Set(identifiersIn(textOf(file)))]
      .filter((identifier) => {
        const words = wordsOf(identifier).join(' ').replace('not found', '').split(' ');
        return words.some((word) => replacedWords.has(word));
      })
      .map((identifier) => `${file}: ${identifier}`),
  );
  assert.deepEqual(
    wrong.filter((one) => !foreignNames.has(one)),
    [],
  );
  assert.deepEqual(
    [...foreignNames].filter((one) => !wrong.includes(one)),
    [],
  );
});

test('texts for readers use none of the phrases that are out', () => {
  const covered = [...product, ...papers, ...code.filter((file) => file.startsWith('bin/'))].filter(
    (file) => coveredPaths.some((path) => file.startsWith(path)),
  );
  const wrong = covered.flatMap((file) =>
    withoutComments(textOf(file))
      .split('\n')
      .flatMap((line, index) =>
        phrases
          .filter(({ phrase, under = '' }) => file.startsWith(under) && phrase.test(line))
          .map(({ instead }) => `${file}:${index + 1}: ${line.trim()} (instead: ${instead})`),
      ),
  );
  assert.deepEqual(wrong, []);
  const tooBroad = phrases.flatMap(({ phrase, right = [] }) =>
    right.filter((sentence) => phrase.test(sentence)),
  );
  assert.deepEqual(tooBroad, []);
});

test('what is left to do names its issue', () => {
  const mark = /\b(?:TODO|FIXME|XXX)\b(?!\(#\d+\))/;
  const others = [...code, ...migrations, ...papers].filter((file) => file !== 'test/tidy.test.ts');
  assert.deepEqual(
    linesOf(others).filter(({ line }) => mark.test(line)),
    [],
  );
});

test('a test is left out for a program that is missing, never for a file', () => {
  const program =
    /^apt-get install |^npm ci --prefix |^install \w+, |^put \w+ on PATH|^run the tests as root|^only Linux /;
  const calls = code.flatMap((file) =>
    [...textOf(file).matchAll(/\bskipped\((?:[^;]*?), *(?:'([^']+)'|`([^`]+)`|"([^"]+)")\)/g)].map(
      ([, ...quoted]) => ({ file, how: quoted.find((one) => one !== undefined) ?? '' }),
    ),
  );
  assert.ok(calls.length > 20, `${calls.length}`);
  assert.deepEqual(
    calls.filter(({ how }) => !program.test(how)),
    [],
  );
  // What is outside of the repository is a second check, which test/published.ts alone knows of.
  const outside = code.filter((file) => /\.\.\/shared\//.test(textOf(file)));
  assert.deepEqual(
    outside.filter((file) => file !== 'test/tidy.test.ts'),
    ['test/published.ts'],
  );
});

test('no file of tests says the same title twice, or runs only some of its tests', () => {
  const tests = code.filter((file) => file.endsWith('.test.ts'));
  const wrong = tests.flatMap((file) => {
    const titles = [...textOf(file).matchAll(/^\s*(?:await )?\w*\.?test\(\s*(['"])(.+?)\1/gm)].map(
      ([, , title = '']) => title,
    );
    const again = titles.filter((title, index) => titles.indexOf(title) !== index);
    const only = /\b(?:test|it|describe|suite)\.only\(|\bonly: true\b/.test(textOf(file))
      ? ['.only']
      : [];
    const self = file === 'test/tidy.test.ts' ? [] : only;
    return [...again, ...self].map((what) => `${file}: ${what}`);
  });
  assert.deepEqual(wrong, []);
});

test('tests compare by the assert that is told of times before they run', () => {
  const others = /from 'node:assert'|\} from 'node:assert\/strict'|require\('node:assert/;
  const tests = code.filter((file) => file !== 'test/tidy.test.ts');
  assert.deepEqual(
    linesOf(tests).filter(({ line }) => others.test(line)),
    [],
  );
});

test('nobody’s mail address and no machine’s folders are in the repository', () => {
  const mail = /[\w.+-]+@((?:[\w-]+\.)+[a-z]{2,})\b/gi;
  const reserved = /(^|\.)(example(\.(com|org|net))?|test|invalid|localhost)$/i;
  const folder = /(?<![\w.:/>])\/(?:root|home|Users)\/\w/;
  const matches = linesOf([...code, ...migrations, ...papers, 'package.json']).filter(
    ({ line }) => {
      const hosts = [...line.matchAll(mail)].map(([, host = '']) => host);
      return hosts.some((host) => !reserved.test(host)) || folder.test(line);
    },
  );
  assert.deepEqual(matches, []);
});

test('the lock file names no host', () => {
  const lock = textOf('package-lock.json');
  assert.deepEqual(
    lock.match(/"resolved": "(?!https:\/\/registry\.npmjs\.org\/)[^"]*"/g) ?? [],
    [],
  );
});

async function find(pattern: string): Promise<readonly string[]> {
  const matches = await Array.fromAsync(glob(pattern, { cwd: root }));
  return matches
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => statSync(join(root, file)).isFile())
    .sort();
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** A paper without its blocks of code, and without what only the Terraform registry reads. */
function prose(file: string): string {
  return textOf(file)
    .replace(/^---\n[\s\S]*?\n---\n+/, '')
    .replace(/^```[\s\S]*?^```/gm, '');
}

function linesOf(files: readonly string[]): { at: string; line: string }[] {
  return files.flatMap((file) =>
    textOf(file)
      .split('\n')
      .map((line, index) => ({ at: `${file}:${index + 1}`, line: line.trim() })),
  );
}

/** The folder of src that a file is in; null for the files beside the folders. */
function folderOf(file: string): string | null {
  return /^src\/([^/]+)\//.exec(file)?.[1] ?? null;
}

/** What is previewed and how claims are shared out is computed from arguments alone, too. */
function isPure(file: string): boolean {
  return (
    pure.includes(folderOf(file) ?? '') ||
    /^src\/(what-if\/[\w-]+|engine\/claims\/[\w-]+|engine\/sending\/(fair-shares|messages|monthly-limit|postponed-notice))\.ts$/.test(
      file,
    )
  );
}

function importsOf(file: string): readonly string[] {
  const pattern = /^(?:(?:import|export|\})[^'\n]*\bfrom |import |.*\bimport\()'([^']+)'/gm;
  return [...textOf(file).matchAll(pattern)].map(([, target = '']) => target);
}

/** `judge` -> judge, judges, judged, judging, judger. */
function formsOf(words: readonly string[]): Set<string> {
  return new Set(
    words.flatMap((word) => {
      const stem = word.replace(/e$/, '');
      return [word, `${word}s`, ...['es', 'ed', 'ing', 'er', 'ers'].map((end) => stem + end)];
    }),
  );
}

/** Calls that hand something on, or answer at once. */
const answersAtOnce =
  /^(stack\.\w+|ok|misused|accepted|answer|startStream|reply\.\w+|Object\.\w+|tablesIn)\(/;

/** Returned calls below a `using` of the same function, by their indentation, without `await`. */
function unawaitedIn(lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => {
    const [, indent] = /^( *)(?:await )?using /.exec(line) ?? [];
    if (indent === undefined) return [];
    const end = lines.findIndex((later, at) => at > index && isOutside(later, indent));
    const block = lines.slice(index + 1, end === -1 ? undefined : end);
    return block.flatMap((each) => {
      const [, returned = ''] = /^ *(?:.*\) )?return (?!await\b)(.+)$/.exec(each) ?? [];
      const isCall = /^[\w.#?]+\(/.test(returned);
      return isCall && !answersAtOnce.test(returned) ? [each.trim()] : [];
    });
  });
}

const isOutside = (line: string, indent: string) => line !== '' && !line.startsWith(indent);
