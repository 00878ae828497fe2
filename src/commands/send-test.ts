// `pagerctl send-test`: whether a page would arrive, by the ways out that the server has.
import { text as textOf } from 'node:stream/consumers';
import { readArguments, suggested } from '../arguments.ts';
import type { Config } from '../config.ts';
import { systemClock } from '../engine/clock.ts';
import { silentLog } from '../engine/log.ts';
import { nearest } from '../nearest.ts';
import type { IncidentNotice } from '../notices/notice.ts';
import { channelsOf } from '../server/channels.ts';
import { harmless } from '../terminal.ts';
import type { CommandOutput } from './command.ts';

const usage = `pagerctl send-test email <address>
pagerctl send-test slack | msteams | discord <address of an incoming webhook>

Sends a page that says it is a test, at once and only once, as the server with these settings
would. The address of a webhook is a secret: with - it is read from standard input, where no list
of processes shows it.

Ends with 0: the other side took it; 1: it did not, and why; 2: the words are not understood.
`;

/** Answers the exit code. */
export async function sendTestCommand(
  args: readonly string[],
  config: Config,
  { write, writeError: complain }: CommandOutput,
): Promise<0 | 1 | 2> {
  if (args.includes('--help')) {
    write(usage);
    return 0;
  }
  const read = readArguments(args, { options: {}, positionalsMax: 2 });
  await using stack = new AsyncDisposableStack();
  const { channels } = channelsOf({ config, log: silentLog, clock: systemClock }, stack);
  const [name = '', word = ''] = typeof read === 'string' ? [] : read.positionals;
  const channel = channels.get(name);
  if (typeof read === 'string' || channel === undefined || word === '') {
    complain(`${misuseOf(read, name, [...channels.keys()])}\n\n${usage}`);
    return 2;
  }
  const address = word === '-' ? (await textOf(process.stdin)).trim() : word;
  const delivery = await channel.send(testPage(config.publicUrl), address);
  const answer = delivery.answer ? `: ${delivery.answer}` : '';
  if (delivery.outcome !== 'delivered') {
    complain(harmless(`The test page did not leave: ${delivery.reason}${answer}\n`));
    return 1;
  }
  const isFile = name === 'email' && config.mail.smtpUrl === null;
  const outcome = isFile
    ? `No mail leaves, for PAGER_SMTP_URL is not set: the test page is a file${answer}`
    : `The test page was taken by the other side${answer}`;
  write(harmless(`${outcome}\n`));
  return 0;
}

function misuseOf(read: unknown, name: string, known: readonly string[]): string {
  if (typeof read === 'string') return read;
  if (name === '') return 'Say by which channel, and to which address.';
  if (known.includes(name)) return 'Say to which address.';
  return `There is no channel ${name} to send by.${suggested(nearest(name, known))}`;
}

function testPage(url: string): IncidentNotice {
  const now = systemClock.now();
  return {
    ...{ about: 'incident', kind: 'page', key: `send-test/${now.epochMilliseconds}` },
    organization: { id: '0'.repeat(24), name: 'Pager' },
    why: 'an operator ran pagerctl send-test',
    incident: {
      ...{ id: '0'.repeat(24), number: 0, status: 'triggered', service: 'pagerctl send-test' },
      title: 'A test page: nothing is wrong',
      details: 'If you can read this, pages arrive here.',
      ...{ links: [], url, created_at: now },
    },
  };
}
