// The keys that the release 0.1.0 made of mails: what it opened has them.
import { RE2JS } from 're2js';
import { eventsLimits } from '../limits/events.ts';
import type { Mail } from './alert.ts';
import { shortHash } from './hash.ts';
import { groupOf, monitEventOf, netdataKeyOf } from './mail-tools.ts';

const FORWARDED = /^(?:(?:re|fwd?|aw|wg)\s?:\s?)+/i;
const RESOLVED = /^(?:\[resolved\]\s?[:-]?|resolved\s?:)\s?/i;
const NOTIFICATION =
  'PROBLEM|RECOVERY|ACKNOWLEDGEMENT|CUSTOM|FLAPPING[A-Z]{3,8}|DOWNTIME[A-Z]{3,9}';
const NAGIOS = RE2JS.compile(
  `^\\*\\* (?:${NOTIFICATION}) ((?:Host|Service) Alert: .+) is (?:\\w+) \\*\\*$`,
);
const ICINGA = RE2JS.compile(`^\\[(?:${NOTIFICATION})\\] (.+) is (?:\\w+)!$`);

/** Of a mail whose subject is on one line. */
export function formerKeyOf(mail: Mail): string {
  const { subject, text } = mail;
  const bare = subject.replace(FORWARDED, '');
  return (
    notified(NAGIOS, subject) ??
    notified(ICINGA, subject) ??
    netdataKeyOf(mail) ??
    monitEventOf(mail)?.former ??
    groupKey(subject, text) ??
    (bare.replace(RESOLVED, '') || subject || shortHash(text))
  );
}

function notified(form: RE2JS, subject: string): string | undefined {
  if (subject.length > eventsLimits.subjectLength) return undefined;
  const match = form.matcher(subject);
  return match.find() ? (match.group(1) ?? undefined) : undefined;
}

function groupKey(subject: string, text: string): string | undefined {
  const [mark] = /^\[(?:FIRING:\d{1,6}|RESOLVED)\]/.exec(subject) ?? [];
  if (mark === undefined) return undefined;
  return groupOf(text) || subject.slice(mark.length).trim() || subject;
}
