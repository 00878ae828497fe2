import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Clock } from '../engine/clock.ts';
import type { Log } from '../engine/log.ts';
import type { Notice } from '../notices/notice.ts';
import type { MailTransport } from './mail-transport.ts';

/** Without a mail server: each mail is a file that a mail program opens, and reaches nobody. */
export function createMailFolder(options: {
  mailDir: string;
  log: Log;
  clock: Clock;
}): MailTransport {
  const { mailDir, log, clock } = options;
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async send(mail, notice) {
      const { message } = await composer.sendMail({ ...mail, headers: { ...mail.headers } });
      const time = clock.now().toString({ smallestUnit: 'millisecond' }).replaceAll(/[-:]/g, '');
      // The end of the Message-ID tells two mails of one millisecond apart.
      const [, unique = ''] = /\.([0-9a-f]+)@/.exec(mail.messageId) ?? [];
      const file = join(mailDir, `${time}-${nameOf(notice)}-${unique}.eml`);
      // Only for us: the links in a mail act in its reader's name.
      await mkdir(mailDir, { recursive: true, mode: 0o700 });
      await writeFile(`${file}.part`, message, { mode: 0o600 });
      await rename(`${file}.part`, file);
      log.warn(
        { file, notice: notice.key, setting: 'PAGER_SMTP_URL' },
        'e-mail is not set up: the message was written to a file and reached nobody',
      );
      return file;
    },
    verify: () => mkdir(mailDir, { recursive: true, mode: 0o700 }),
    close() {},
  };
}

function nameOf(notice: Notice): string {
  return notice.about === 'incident' ? `INC-${notice.incident.number}` : notice.kind;
}
