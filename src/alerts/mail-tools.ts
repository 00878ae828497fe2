import type { Action, Mail, Severity } from './alert.ts';
import { diskMail } from './mail-identity.ts';
import { linesOf, namedIn, restOf } from './mail-lines.ts';
import { readLine } from './marks.ts';
import { monitRule } from './monit-rule.ts';
import { oneLine, titleOf } from './text.ts';
import { severityOf } from './words.ts';

// Tools whose mail says in its headers or its text what its subject does not. Each reader recognises
// its tool by a form that no other mail has by chance; of any other mail the subject is read. Only as
// much of a mail is read as tools write, and in one pass, since strangers can send anything.

/** What a tool's mail means; `nothing` when it reports no change of a problem. */
export type ToolMail =
  | {
      readonly action: Action;
      readonly key: string;
      readonly severity?: Severity | undefined;
      /** The key of 0.1.0, which src/alerts/former-mail.ts makes of every mail. */
      readonly former?: string;
      readonly unwatched?: string;
    }
  | 'nothing';

/** Reads the mail of a tool that is known by its form; nothing for any other mail. */
export function toolMail(mail: Mail): ToolMail | undefined {
  return netdata(mail) ?? monit(mail) ?? alertmanager(mail) ?? diskMail(mail) ?? zabbix(mail);
}

/** The alert, its chart and its host, of a mail of netdata. */
export function netdataKeyOf({ headers }: Mail): string | undefined {
  const name = headers['x-netdata-alert-name'];
  const host = headers['x-netdata-host'];
  if (name === undefined || host === undefined) return undefined;
  return `${name} ${headers['x-netdata-chart'] ?? ''} on ${host}`;
}

function netdata(mail: Mail): ToolMail | undefined {
  const key = netdataKeyOf(mail);
  if (key === undefined) return undefined;
  const state = mail.headers['x-netdata-severity']?.trim().toLowerCase() ?? '';
  if (state === 'clear') return { action: 'resolve', key };
  if (state === 'removed') return { action: 'resolve', key, unwatched: 'removed' };
  if (state === 'warning' || state === 'critical')
    return { action: 'trigger', key, severity: severityOf(state) };
  return 'nothing';
}

const MONIT = 'monit alert -- ';
const GOOD_ENDS = [' succeeded', ' ok', ' up', ' not changed', " doesn't match"];
const BAD_ENDS = [' failed', ' exceeded', ' matched', ' match', ' down', ' changed'];

// Pairs of Monit's event texts that do not follow its "failed" and "succeeded".
const monitPairs: ReadonlyMap<string, readonly [Action, string]> = new Map([
  ['Does not exist', ['trigger', 'Existence']],
  ['Exists', ['resolve', 'Existence']],
  ['Invalid type', ['trigger', 'Type']],
  ['Timeout', ['trigger', 'Timeout']],
  ['Timeout recovery', ['resolve', 'Timeout']],
  ['Data access error', ['trigger', 'Data access']],
]);

type MonitEvent = {
  readonly event: string;
  readonly action: Action;
  readonly key: string;
  readonly former: string;
};

/** The event in a mail of Monit. */
export function monitEventOf({ subject, text, headers }: Mail): MonitEvent | undefined {
  const isMonit = (headers['x-mailer'] ?? '').startsWith('Monit ') || subject.startsWith(MONIT);
  const lines = linesOf(text);
  const [event, service] = halves((lines[0] ?? '').trim(), ' Service ') ?? [];
  const host = namedIn(lines, 'Host')?.split(/\s/, 1)[0];
  if (!isMonit || !event || !service || !host) return undefined;
  const [action, kind] = monitPairs.get(event) ?? stateOf(event);
  const former = `${kind} of ${service.trim()} on ${host}`;
  const rule = monitRule(namedIn(lines, 'Description') ?? '');
  return { event, action, key: rule === undefined ? former : `${rule}: ${former}`, former };
}

function monit(mail: Mail): ToolMail | undefined {
  const monitEvent = monitEventOf(mail);
  if (monitEvent === undefined) return undefined;
  // Starts, stops and reloads of Monit, and what an operator had it do.
  if (monitEvent.event === 'Monit instance changed' || monitEvent.event === 'Action done')
    return 'nothing';
  return { action: monitEvent.action, key: monitEvent.key };
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

/** The labels by which Alertmanager grouped, of the text of its mail. */
export function groupOf(text: string): string | undefined {
  const labels = restOf(linesOf(text), /^[>|\s]*\d{1,6} alerts? for[ \t]/);
  return labels?.includes('=') ? labels.replace(/\s+/g, ' ').trim() : undefined;
}

const GROUP = /^\[(?:FIRING:\d{1,6}(?:, RESOLVED:\d{1,6})?|RESOLVED(?::\d{1,6})?)\]/;

// The words in brackets at the end of the subject follow the members of the group, so only the
// group's own labels, which the text names, stay the same until it is resolved.
function alertmanager({ subject, text }: Mail): ToolMail | undefined {
  const [mark] = GROUP.exec(subject) ?? [];
  const key = mark === undefined ? undefined : groupOf(text);
  if (mark === undefined || key === undefined) return undefined;
  return { action: mark.startsWith('[RESOLVED') ? 'resolve' : 'trigger', key };
}

/** A host or a trigger was disabled: Zabbix sends no end. */
function zabbix({ subject, text }: Mail): ToolMail | undefined {
  if (!/^NOTE: Escalation cancell?ed\b/i.test(text)) return undefined;
  const [line = ''] = linesOf(text);
  return {
    action: 'resolve',
    key: readLine(subject).stem || subject,
    unwatched: titleOf(oneLine(line)),
  };
}

function halves(line: string, between: string): readonly [string, string] | undefined {
  const at = line.indexOf(between);
  return at < 0 ? undefined : [line.slice(0, at), line.slice(at + between.length)];
}
