import type { EmailMessage } from '../notices/email.ts';
import type { Notice } from '../notices/notice.ts';

/** One mail to one person. */
export type Mail = EmailMessage & {
  readonly to: { readonly name: string; address: string };
  /** Absent: it is `from`. An empty sender gets no bounces. */
  readonly envelopeSender?: string;
};
/** Sends a mail and resolves with the answer of the other side, or rejects. */
export type MailTransport = {
  send(mail: Mail, notice: Notice): Promise<string>;
  /** Connects and signs in, or rejects. */
  verify(): Promise<unknown>;
  close(): void;
};
