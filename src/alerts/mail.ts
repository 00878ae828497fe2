import type { About, AlertEvent, Mail, Reading } from './alert.ts';
import { shortHash } from './hash.ts';
import { toolMail } from './mail-tools.ts';
import { keyOf, nameOf, oneLine, storable, titleOf, withWholeTitle } from './text.ts';

const FORWARDED = /^(?:(?:re|fwd?|aw|wg)\s?:\s?)+/i;
const RESOLVED = /^(?:\[resolved\]\s?[:-]?|resolved\s?:)\s?/i;

/** Reads a mail: the subject is the title and the key, the text the details. */
export function readMail(mail: Mail, about: About): Reading {
  if (carriesNoAlert(mail)) return { alerts: [] };
  const subject = oneLine(mail.subject);
  const text = storable(mail.text).trim();
  if (subject === '' && text === '')
    return { unreadable: 'the mail: has neither a subject nor text' };
  const line = subject || nameOf(about);
  const read = toolMail({ ...mail, subject, text }) ?? plainMail(subject, text);
  if (read === 'nothing') return { alerts: [] };
  const details = withWholeTitle(line, text === '' ? undefined : text);
  const [dedup_key, former_key] = [keyOf(read.key), keyOf(read.former ?? read.key)];
  const alert: AlertEvent = {
    action: read.action,
    dedup_key,
    ...(former_key !== dedup_key && { former_key }),
    title: titleOf(line),
    ...(details !== undefined && { details }),
    ...(read.severity !== undefined && { severity: read.severity }),
  };
  return { alerts: [alert] };
}

function plainMail(
  subject: string,
  text: string,
): Pick<AlertEvent, 'action' | 'severity'> & {
  readonly key: string;
  readonly former?: string;
} {
  const bare = subject.replace(FORWARDED, '');
  const rest = bare.replace(RESOLVED, '');
  const action = rest === bare ? 'trigger' : 'resolve';
  // A subject of nothing but such marks is still a subject.
  return { action, key: rest || subject || shortHash(text) };
}

// Our own notices, and answering machines. Tools mark their mail as generated, never as a reply.
function carriesNoAlert({ headers }: Mail): boolean {
  if (headers['x-pager-notice'] !== undefined) return true;
  return /^\s*auto-replied/i.test(headers['auto-submitted'] ?? '');
}
