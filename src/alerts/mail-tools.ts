import { RE2JS } from 're2js';
import { eventsLimits } from '../limits/events.ts';
import type { Action, Mail, Severity } from './alert.ts';
import { diskMail, hostsIn } from './mail-identity.ts';
import { monitRule } from './monit-rule.ts';
import { severityOf } from './words.ts';

// Tools that change the subject with the state. Each reader recognises its tool by a form that no
// other mail has by chance; any other mail is read by the plain rule. Only as much of a mail is
// read as tools write, and in one pass, since strangers can send anything.

/** What a tool's mail means; `nothing` when it reports no change of a problem. */
export type ToolMail =
  | {
      readonly action: Action;
      readonly key: string;
      /** Of the release 0.1.0, where it was another. */
      readonly former?: string;
      readonly severity?: Severity | undefined;
    }
  | 'nothing';

/** Reads the mail of a tool that is known by its form; nothing for any other mail. */
export function toolMail(mail: Mail): ToolMail | undefined {
  return (
    withHosts(nagios(mail) ?? icinga(mail), mail) ??
    netdata(mail) ??
    monit(mail) ??
    alertmanager(mail) ??
    diskMail(mail)
  );
}

function withHosts(read: ToolMail | undefined, mail: Mail): ToolMail | undefined {
  if (read === undefined || read === 'nothing') return read;
  return { ...read, former: read.key, key: [read.key, ...hostsIn(mail)].join(' | ') };
}

const MONIT = 'monit alert -- ';
const GOOD_ENDS = [' succeeded', ' ok', ' up', ' not changed', " doesn't match"];
const BAD_ENDS = [' failed', ' exceeded', ' matched', ' match', ' down', ' changed'];

const NOTIFICATION =
  'PROBLEM|RECOVERY|ACKNOWLEDGEMENT|CUSTOM|FLAPPING[A-Z]{3,8}|DOWNTIME[A-Z]{3,9}';
const NAGIOS = RE2JS.compile(
  `^\\*\\* (${NOTIFICATION}) ((?:Host|Service) Alert: .+) is (\\w+) \\*\\*$`,
);
const ICINGA = RE2JS.compile(`^\\[(${NOTIFICATION})\\] (.+) is (\\w+)!$`);

function nagios({ subject }: Mail): ToolMail | undefined {
  return subject.startsWith('** ') ? notification(NAGIOS, subject) : undefined;
}

function icinga({ subject }: Mail): ToolMail | undefined {
  return subject.startsWith('[') ? notification(ICINGA, subject) : undefined;
}

function notification(form: RE2JS, subject: string): ToolMail | undefined {
  if (subject.length > eventsLimits.subjectLength) return undefined;
  const match = form.matcher(subject);
  if (!match.find()) return undefined;
  const [type, key, state] = [match.group(1), match.group(2) ?? '', match.group(3) ?? ''];
  const severity = severityOf(state === 'UNREACHABLE' ? 'DOWN' : state);
  if (type === 'PROBLEM') return { action: 'trigger', key, severity };
  if (type === 'RECOVERY') return { action: 'resolve', key };
  if (type === 'ACKNOWLEDGEMENT') return { action: 'acknowledge', key };
  return 'nothing';
}

function netdata({ headers }: Mail): ToolMail | undefined {
  const name = headers['x-netdata-alert-name'];
  const host = headers['x-netdata-host'];
  if (name === undefined || host === undefined) return undefined;
  const key = `${name} ${headers['x-netdata-chart'] ?? ''} on ${host}`;
  const state = headers['x-netdata-severity']?.trim().toLowerCase() ?? '';
  if (state === 'clear') return { action: 'resolve', key };
  if (state === 'warning' || state === 'critical')
    return { action: 'trigger', key, severity: severityOf(state) };
  return 'nothing';
}

// Pairs of Monit's event texts that do not follow its "failed" and "succeeded".
const monitPairs: ReadonlyMap<string, readonly [Action, string]> = new Map([
  ['Does not exist', ['trigger', 'Existence']],
  ['Exists', ['resolve', 'Existence']],
  ['Invalid type', ['trigger', 'Type']],
  ['Timeout', ['trigger', 'Timeout']],
  ['Timeout recovery', ['resolve', 'Timeout']],
  ['Data access error', ['trigger', 'Data access']],
]);

function monit({ subject, text, headers }: Mail): ToolMail | undefined {
  const isMonit = (headers['x-mailer'] ?? '').startsWith('Monit ') || subject.startsWith(MONIT);
  const lines = linesOf(text);
  const [event, service] = halves((lines[0] ?? '').trim(), ' Service ') ?? [];
  const host = restOf(lines, /^[ \t]*Host:[ \t]/)?.split(/\s/, 1)[0];
  if (!isMonit || !event || !service || !host) return undefined;
  // Starts, stops and reloads of Monit, and what an operator had it do.
  if (event === 'Monit instance changed' || event === 'Action done') return 'nothing';
  const [action, kind] = monitPairs.get(event) ?? stateOf(event);
  const former = `${kind} of ${service.trim()} on ${host}`;
  const rule = monitRule(restOf(lines, /^[ \t]*Description:[ \t]/) ?? '');
  return { action, former, key: rule === undefined ? former : `${rule}: ${former}` };
}

function stateOf(event: string): readonly [Action, string] {
  const good = withoutEnd(event, GOOD_ENDS);
  if (good !== undefined) return ['resolve', good];
  return ['trigger', withoutEnd(event, BAD_ENDS) ?? event];
}

const withoutEnd = (text: string, ends: readonly string[]): string | undefined => {
  const end = ends.find((one) => text.endsWith(one) && text.length > one.length);
  return end === undefined ? undefined : text.slice(0, -end.length);
};

// The words in brackets at the end of the subject follow the members of the group, so only the
// group's own labels, which the text names, stay the same until it is resolved.
function alertmanager({ subject, text }: Mail): ToolMail | undefined {
  const [, state] = /^\[(FIRING:\d{1,6}|RESOLVED)\]/.exec(subject) ?? [];
  if (state === undefined) return undefined;
  const labels = restOf(linesOf(text), /^[ \t]*\d{1,6} alerts? for[ \t]/);
  const isResolved = state === 'RESOLVED';
  const rest = subject.slice(state.length + 2).trim();
  const key = labels?.includes('=') ? labels.replace(/\s+/g, ' ').trim() : rest;
  return { action: isResolved ? 'resolve' : 'trigger', key: key || subject };
}

/** Those that a tool writes first, each without its end. */
function linesOf(text: string): readonly string[] {
  return text.slice(0, eventsLimits.mailTextLength).split(/\r\n|\r|\n/);
}

/** What follows on the first line that begins so and goes on. */
function restOf(lines: readonly string[], start: RegExp): string | undefined {
  for (const line of lines) {
    const [prefix = ''] = start.exec(line) ?? [];
    const rest = prefix && line.slice(prefix.length).trimStart();
    if (rest) return rest;
  }
  return undefined;
}

function halves(line: string, between: string): readonly [string, string] | undefined {
  const at = line.indexOf(between);
  return at < 0 ? undefined : [line.slice(0, at), line.slice(at + between.length)];
}
