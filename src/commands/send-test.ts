// `pagerctl send-test`: whether a page would arrive, by the channels that the server has.
import { text as textOf } from 'node:stream/consumers';
import { readArguments, suggested } from '../arguments.ts';
import type { Config } from '../config.ts';
import { systemClock } from '../engine/clock.ts';
import { isTaken, type NoticeChannel } from '../engine/sending/channel.ts';
import type { IncidentNotice } from '../notices/kinds/incident.ts';
import { testPage } from '../notices/test-page.ts';
import { byChannel, needsMailServer } from '../resources/channels.ts';
import { nearest } from '../resources/nearest.ts';
import { builtInChannels } from '../server/channels.ts';
import { findReachable, knownNames, type ReachablePerson } from '../storage/people/reach.ts';
import { harmless } from '../terminal.ts';
import { type CommandOutput, failureOf, openExisting, sendingWorld } from './command.ts';
import { organizationChannels } from './organization-channels.ts';

export const usage = `pagerctl send-test <person>
pagerctl send-test email <address>
pagerctl send-test slack | msteams | discord <address of an incoming webhook>

Sends a test page once, as the server with these settings would. A person, given by full name or
e-mail address, gets one on each verified contact that pages use. A webhook address is a secret:
enter - to read it from standard input, so that process lists do not show it.

Exit code 0: every test page was accepted; 1: one was not, and the message says why; 2: the
arguments are invalid.
`;

type Channels = ReadonlyMap<string, NoticeChannel>;
type Sender = {
  readonly channels: Channels;
  readonly config: Config;
  /** What its channels keep open is closed with it. */
  readonly stack: AsyncDisposableStack;
  /** Whether mails are only written to a folder. */
  readonly isMailWritten: boolean;
};
type Recipient = {
  readonly channel: string;
  readonly address: string;
  /** Absent: an address that no person is known by. */
  readonly person?: ReachablePerson;
};

/** Answers the exit code. */
export async function sendTestCommand(
  args: readonly string[],
  config: Config,
  output: CommandOutput,
): Promise<0 | 1 | 2> {
  const read = readArguments(args, { options: {}, positionalsMax: 2 });
  if (typeof read === 'string') return misused(read, output);
  await using stack = new AsyncDisposableStack();
  const { channels } = builtInChannels(sendingWorld(config), stack);
  const sender = { channels, config, stack, isMailWritten: config.mail.smtpUrl === null };
  const [name, address] = read.positionals;
  if (name === undefined) return misused('Enter a person, or a channel and an address.', output);
  if (address === undefined && channels.has(name)) return misused('Enter an address.', output);
  if (address === undefined) return await sendToPerson(name, sender, output);
  if (!channels.has(name)) return misused(unknownChannel(name, channels), output);
  const text = address === '-' ? (await textOf(process.stdin)).trim() : address;
  return (await sendTo({ channel: name, address: text }, sender, output)) ? 0 : 1;
}

function misused(problem: string, { writeError }: CommandOutput): 2 {
  writeError(harmless(`${problem}\n\n${usage}`));
  return 2;
}

const unknownChannel = (name: string, channels: Channels) =>
  `There is no channel ${name}.${suggested(nearest(name, [...channels.keys()]))}`;

async function sendToPerson(
  nameOrEmail: string,
  sender: Sender,
  output: CommandOutput,
): Promise<0 | 1> {
  try {
    const { person, connected } = await findPerson(nameOrEmail, sender);
    const isMailWritten = sender.isMailWritten && ![...connected.keys()].some(needsMailServer);
    const channels = new Map([...sender.channels, ...connected]);
    const sent: boolean[] = [];
    for (const [channel, address] of person.addresses)
      sent.push(
        await sendTo({ channel, address, person }, { ...sender, channels, isMailWritten }, output),
      );
    return sent.every(Boolean) ? 0 : 1;
  } catch (error) {
    output.writeError(harmless(`No test page was sent: ${failureOf(error)}\n`));
    return 1;
  }
}

type PersonChannels = {
  readonly person: ReachablePerson;
  /** Those by connections of their organisation. */
  readonly connected: Channels;
};

/** The database is closed before anything is sent. */
async function findPerson(nameOrEmail: string, { config, stack }: Sender): Promise<PersonChannels> {
  await using database = new AsyncDisposableStack();
  const sql = await openExisting(config, database, { maxConnections: 1, name: 'pager send-test' });
  const people = await findReachable(sql, nameOrEmail);
  const [person, ...others] = people;
  if (person !== undefined && others.length === 0) {
    const { organization, addresses } = person;
    const wanted = { config, organizationId: organization.id, channels: addresses.keys(), stack };
    return { person, connected: await organizationChannels(sql, wanted) };
  }
  if (person === undefined) {
    const suggestion = suggested(nearest(nameOrEmail, await knownNames(sql)));
    throw new Error(`no active person is called ${nameOrEmail}.${suggestion}`);
  }
  const emails = people.map(({ email }) => email).join(', ');
  throw new Error(
    `several people are called ${nameOrEmail}. Use one of these e-mail addresses: ${emails}`,
  );
}

/** Answers whether the other side accepted it. */
async function sendTo(
  { channel: name, address, person }: Recipient,
  { channels, config, isMailWritten }: Sender,
  { write, writeError }: CommandOutput,
): Promise<boolean> {
  const to = person === undefined ? '' : ` to ${person.name || person.email} ${byChannel(name)}`;
  const channel = channels.get(name);
  if (channel === undefined) {
    writeError(harmless(`The test page${to} was not sent: this server has no such channel\n`));
    return false;
  }
  if (needsMailServer(name) && isMailWritten)
    writeError(
      'PAGER_SMTP_URL is not set in this terminal. If the running server has it, set it here too. A mail server that is connected in Pager is used only for a person.\n',
    );
  const delivery = await channel.send(pageTo(config.publicUrl, person), address);
  const answer = delivery.answer ? `: ${delivery.answer}` : '';
  if (!isTaken(delivery)) {
    writeError(harmless(`The test page${to} was not sent: ${delivery.reason}${answer}\n`));
    return false;
  }
  write(harmless(`The test page${to} was accepted${answer}\n`));
  return true;
}

function pageTo(url: string, person: ReachablePerson | undefined): IncidentNotice {
  return testPage({
    organization: person?.organization ?? { id: '0'.repeat(24), name: 'Pager' },
    ...(person && { recipient: person.name || person.email }),
    why: 'an operator ran pagerctl send-test',
    service: 'pagerctl send-test',
    url,
    now: systemClock.now(),
  });
}
