import { silentLog } from '../../engine/log.ts';
import { domainOf } from '../notice-mail.ts';
import { namesOfConnection, smtpErrorOf, troubleToMend } from '../smtp-error.ts';
import type { SmtpTimes, SmtpTransport } from '../smtp-transport.ts';
import type { Check, Checked, CheckResult, Connection, VendorWay } from '../vendor.ts';
import { settingsOf, transportTo } from './servers.ts';

type Way = Pick<VendorWay, 'outbound' | 'clock'> & { readonly times?: SmtpTimes };

/** Whether the mail server lets Pager in; with an address, whether it takes a mail to it. */
export async function checkMailServer(
  { clock, ...way }: Way,
  connection: Connection,
  to: Parameters<Check>[2],
): Promise<Checked> {
  const { host, username } = settingsOf(connection);
  const transport = transportTo({ ...way, log: silentLog }, connection);
  try {
    const refused = await reasonOf(transport.verify());
    if (refused !== null)
      return { checks: [{ name: 'server', ok: false, message: refused }], account: null };
    const message = `${host} answers${username === undefined ? '' : ' and accepts the sign-in'}.`;
    const server: CheckResult = { name: 'server', ok: true, message };
    if (to === null) return { checks: [server], account: host };
    const sent = await sendTest(transport, { connection, clock, address: to.address });
    return { checks: [server, sent], account: host };
  } finally {
    transport.close();
  }
}

/** Null: it was done. */
const reasonOf = (done: Promise<unknown>): Promise<string | null> =>
  done.then(
    () => null,
    (error: unknown) => troubleToMend(smtpErrorOf(error), namesOfConnection),
  );

type TestMail = Pick<VendorWay, 'clock'> & {
  readonly connection: Connection;
  readonly address: string;
};

async function sendTest(
  transport: SmtpTransport,
  { connection, clock, address }: TestMail,
): Promise<CheckResult> {
  const { from_email: from } = settingsOf(connection);
  const text = 'This is a test message from Pager. Pages arrive here like this.';
  const mail = {
    from,
    to: { name: '', address },
    subject: 'Test message from Pager',
    text,
    html: `<p>${text}</p>`,
    messageId: `<test.${connection.id}.${clock.now().epochMilliseconds}@${domainOf(from)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
  const refused = await reasonOf(transport.send(mail));
  const message = refused ?? `The mail server accepted a message to ${address}.`;
  return { name: 'message', ok: refused === null, message };
}
