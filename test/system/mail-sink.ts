// E-mail for servers under test that are about something else: every mail is accepted, none is kept.
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** For a server whose mails are only written to a folder. */
export const withoutMailServer = { PAGER_SMTP_URL: '' } as const;

/** Settings for e-mail that works, unless those given say otherwise. */
export async function withMailServer(
  settings: Readonly<Record<string, string>>,
  stack: AsyncDisposableStack,
): Promise<Readonly<Record<string, string>>> {
  if (settings['PAGER_SMTP_URL'] !== undefined) return settings;
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 50,
    onData(stream, _session, answer) {
      stream.once('end', () => answer()).resume();
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  stack.defer(() => new Promise<void>((done) => server.close(() => done())));
  const { port } = server.server.address() as AddressInfo;
  return {
    PAGER_MAIL_FROM: 'Pager <pager@example.test>',
    ...settings,
    PAGER_SMTP_URL: `smtp://127.0.0.1:${port}`,
  };
}
