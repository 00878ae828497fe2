import type { Action, Mail, Severity } from './alert.ts';
import { severityOf } from './words.ts';

// Tools that change the subject with the state. Each reader knows its tool by a form that no
// other mail has by chance; what it does not know for certain stays with the plain rule.

/** What a tool's mail says; `nothing` when it reports no change of a problem. */
export type ToolMail =
  | { readonly action: Action; readonly key: string; readonly severity?: Severity | undefined }
  | 'nothing';

/** Reads the mail of a tool that is known by its form; nothing for any other mail. */
export function toolMail(mail: Mail): ToolMail | undefined {
  return nagios(mail) ?? icinga(mail) ?? netdata(mail) ?? monit(mail) ?? alertmanager(mail);
}

const NOTIFICATION =
  'PROBLEM|RECOVERY|ACKNOWLEDGEMENT|CUSTOM|FLAPPING[A-Z]{3,8}|DOWNTIME[A-Z]{3,9}';
const NAGIOS = new RegExp(
  `^\\*\\* (${NOTIFICATION}) ((?:Host|Service) Alert: .+) is (\\w+) \\*\\*$`,
);
const ICINGA = new RegExp(`^\\[(${NOTIFICATION})\\] (.+) is (\\w+)!$`);

function nagios({ subject }: Mail): ToolMail | undefined {
  return notification(NAGIOS.exec(subject));
}

function icinga({ subject }: Mail): ToolMail | undefined {
  return notification(ICINGA.exec(subject));
}

function notification(found: RegExpExecArray | null): ToolMail | undefined {
  if (found === null) return undefined;
  const [, type = '', key = '', state = ''] = found;
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
  const isMonit = /^Monit /.test(headers['x-mailer'] ?? '') || /^monit alert -- /.test(subject);
  const [first = ''] = text.split('\n', 1);
  const [, event, service] = /^(.+?) Service (.+)$/.exec(first.trim()) ?? [];
  const host = /^[ \t]*Host:[ \t]+(\S+)/m.exec(text)?.[1];
  if (!isMonit || event === undefined || service === undefined || host === undefined)
    return undefined;
  // Starts, stops and reloads of Monit, and what an operator had it do.
  if (event === 'Monit instance changed' || event === 'Action done') return 'nothing';
  const [action, kind] = monitPairs.get(event) ?? stateOf(event);
  return { action, key: `${kind} of ${service.trim()} on ${host}` };
}

function stateOf(event: string): readonly [Action, string] {
  const good = /^(.+) (?:succeeded|ok|up|not changed|doesn't match)$/.exec(event);
  if (good !== null) return ['resolve', good[1] ?? event];
  return ['trigger', event.replace(/ (?:failed|exceeded|matched|match|down|changed)$/, '')];
}

// The words in brackets at the end of the subject follow the members of the group, so only the
// group's own labels, which the text names, stay the same until it is resolved.
function alertmanager({ subject, text }: Mail): ToolMail | undefined {
  const [, state] = /^\[(FIRING:\d{1,6}|RESOLVED)\]/.exec(subject) ?? [];
  const [, labels] =
    /^[ \t]*\d{1,6} alerts? for[ \t]+(\S[^\r\n]{0,2000}=[^\r\n]{0,2000})$/m.exec(text) ?? [];
  if (state === undefined) return undefined;
  const isResolved = state === 'RESOLVED';
  const rest = subject.slice(state.length + 2).trim();
  const key = labels?.replace(/\s+/g, ' ').trim() ?? rest;
  return { action: isResolved ? 'resolve' : 'trigger', key: key || subject };
}
