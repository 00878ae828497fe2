// Behavior reads the traits of channels (src/resources/channels.ts), and not their names.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { channels, mailChannel } from '../../src/resources/channels.ts';
import { vendors } from '../../src/resources/connections/vendors.ts';

const root = join(import.meta.dirname, '../..');

/** Files in which names are data. */
const exceptions: Readonly<Record<string, string>> = {
  'src/config.ts': 'the schemes of addresses of mail servers',
  'src/resources/shift-notifications.ts': 'fields of the API, one for each chat',
  'src/storage/organizations/stored-settings.ts': 'the same fields, as they are stored',
  'src/api/people/shapes.ts': 'the form of a contact in the API, one for each channel',
  'src/channels/chat-webhook.ts': 'webhooks of chats: their vendors without a connection',
  'src/channels/whatsapp.ts': 'what the vendors of this channel share',
  'src/notices/kinds/failing-channel.ts': 'a sample',
  'src/notices/kinds/lost-contact.ts': 'a sample',
  'src/notices/words/en.ts': 'a word, as the table of channels has it',
  'src/notices/teams.ts': 'a field of Microsoft Teams',
  'src/notices/teams-card.ts': 'the same field',
  'src/dashboard/me/add-contact.tsx': 'keyboards for what is typed',
  'src/dashboard/me/words.ts': 'words of fields',
  'src/dashboard/ui/channel.ts': 'icons',
  'src/dashboard/ui/icon-names.ts': 'icons',
  'src/dashboard/me/queries.ts': 'a field of the API',
  'src/dashboard/oncall/notifications-tab.tsx': 'the fields of the API that a schedule has',
};

/** Vendors know their own channels, alerts know none. */
const own =
  /^src\/(resources\/channel(s|-names)\.ts|channels\/([\w-]+)\/|resources\/connections\/|alerts\/)/;

/** `email` is mostly the field of a person. */
const mailNames = [
  /channel\w*['"]?\]?\)? *(?:[!=]==?|<>|=|:|\?) *'email'/,
  /'email'[^,]*channel/,
  /(?:channels?|of)\.(?:get|has)\('email'/,
];

test('no other file names a channel or a vendor', async () => {
  const names = [...Object.keys(channels), ...vendors.map(({ vendor }) => vendor)];
  const others = [...new Set(names)].filter((name) => name !== mailChannel);
  const quoted = new RegExp(`['"\`](?:${others.join('|')})['"\`]`);
  const key = new RegExp(`^\\s*'?(?:${others.join('|')})'?\\??: (?!text\\b)`);
  const files = await Array.fromAsync(glob('src/**/*.{ts,tsx}', { cwd: root }));
  const named = files
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !own.test(file) && !file.endsWith('.test.ts'))
    .flatMap((file) =>
      codeOf(file)
        .filter((line) => [quoted, key, ...mailNames].some((one) => one.test(line)))
        .map((line) => ({ file, line: line.trim() })),
    );
  const isExpected = ({ file }: { readonly file: string }) => file in exceptions;
  assert.deepEqual(
    named.filter((one) => !isExpected(one)).map(({ file, line }) => `${file}: ${line}`),
    [],
  );
  const unused = Object.keys(exceptions).filter((file) => !named.some((one) => one.file === file));
  assert.deepEqual(unused, [], 'these files name none any more');
});

/** Without comments and imports. */
function codeOf(file: string): readonly string[] {
  return readFileSync(join(root, file), 'utf8')
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|\/?\*|import\b|\} from )/.test(line));
}
