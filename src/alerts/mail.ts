import type { About, AlertEvent, Mail, Reading } from './alert.ts';
import { formerKeyOf } from './former-mail.ts';
import { withoutGateways } from './gateways.ts';
import { shortHash } from './hash.ts';
import { machineMail } from './machine-mail.ts';
import { hostsIn } from './mail-identity.ts';
import { type ToolMail, toolMail } from './mail-tools.ts';
import { isNameless } from './marks/nameless.ts';
import { type MarkedLine, readLine } from './marks.ts';
import { unmeasured, withoutLastInstant } from './reading/measured.ts';
import { firstLine } from './reading/path.ts';
import { mailTime } from './source-time.ts';
import { keyOf, nameOf, oneLine, storable, titleOf, withWholeTitle } from './text.ts';
import { labelsOf } from './text-labels.ts';

/** Reads a mail: its subject is the title, and without marks of state the key; its text the details. */
export function readMail(mail: Mail, about: About): Reading {
  const machine = machineMail(mail);
  if (machine !== undefined) return { alerts: [], note: machine };
  const subject = subjectOf(mail.subject);
  const text = storable(mail.text).trim();
  if (subject === '' && text === '')
    return { unreadable: 'the e-mail: has neither a subject nor text' };
  const whole = { ...mail, subject, text };
  const read = alertOf(whole);
  if (read === 'nothing') return { alerts: [], note: 'it reports no change of a problem' };
  const line = titleLine(whole) || nameOf(about);
  const details = withWholeTitle(line, text === '' ? undefined : text);
  const former = keyOf(formerKeyOf({ ...whole, subject: oneLine(mail.subject) }));
  const sourceTime = mailTime(mail, about.receivedAt);
  const isSure = read.in_doubt?.trigger_key === undefined;
  const isMarked = read.action === 'resolve' && isSure && read.unwatched === undefined;
  const alert: AlertEvent = {
    ...read,
    ...(isMarked && { is_marked: true }),
    ...(former !== read.dedup_key && { former_key: former }),
    title: titleOf(line),
    ...(details !== undefined && { details }),
    ...(sourceTime !== undefined && { sourceTime }),
  };
  return { alerts: [alert] };
}

const NO_SUBJECT =
  /^[(<[]?(?:no subject|kein betreff|ohne betreff|sans objet|sin asunto|sem assunto|nessun oggetto|geen onderwerp|без темы|件名なし|无主题)[)>\]]?$/i;

/** Without what mail programs write where there is none, or before none. */
function subjectOf(written: string): string {
  const line = oneLine(written);
  const isEmpty = withoutGateways(`${line} x`) === 'x';
  return isEmpty || NO_SUBJECT.test(withoutGateways(line)) ? '' : line;
}

type Read = Pick<AlertEvent, 'action' | 'dedup_key' | 'severity' | 'in_doubt' | 'unwatched'>;

function alertOf(mail: Mail): Read | 'nothing' {
  // Behind what gateways write, a tool's subject is as the tool wrote it.
  const bare = { ...mail, subject: withoutGateways(mail.subject) };
  const tool = toolMail(bare);
  if (tool !== undefined) return ofTool(tool);
  // When it was sent is no part of the problem.
  const line = readLine(withoutLastInstant(mail.subject));
  if (line.isNothing) return 'nothing';
  if (line.stem === '' || isNameless(line)) return ofText(line, mail.text);
  // Several hosts may be called the same.
  const hosts = line.names === undefined ? [] : hostsIn(line.names, mail.text);
  const read = ofLine(line, keyOf([line.stem, ...hosts].join(' | ')));
  return read.action === 'resolve' ? withLooserKeys(read, line) : read;
}

/** An end finds what was opened by a mail that lacks the address or the value that it has. */
function withLooserKeys(read: Read, { bare, stem }: MarkedLine): Read {
  const { in_doubt = { line: bare, keys: [] }, dedup_key } = read;
  const looser = [stem, unmeasured(stem)]
    .map(keyOf)
    .filter((key) => key !== dedup_key && key !== '');
  const keys = [...new Set([...in_doubt.keys, ...looser])];
  return keys.length === 0 ? read : { ...read, in_doubt: { ...in_doubt, keys } };
}

function ofTool(tool: ToolMail): Read | 'nothing' {
  if (tool === 'nothing') return 'nothing';
  const { key, severity, former: _former, ...others } = tool;
  return { ...others, dedup_key: keyOf(key), ...(severity !== undefined && { severity }) };
}

function ofLine({ bare, sign, ends, severity, opens = bare }: MarkedLine, dedup_key: string): Read {
  const action = sign?.action ?? 'trigger';
  const [first, ...others] = action === 'resolve' ? ends.map(keyOf) : [];
  const isWeaker = sign?.isWeaker === true && action === 'resolve';
  return {
    action,
    dedup_key: first ?? dedup_key,
    ...(severity !== undefined && { severity }),
    ...((isWeaker || others.length > 0) && {
      in_doubt: { line: bare, keys: others, ...(isWeaker && { trigger_key: keyOf(opens) }) },
    }),
  };
}

/**
 * A subject that is missing, is nothing but a mark of state, or names no problem is no key: the text
 * tells. Its first line may be a greeting, so only one with a mark is taken for the problem. Below a
 * subject that is there its mark is a weaker sign.
 */
function ofText({ bare, stem, sign, severity }: MarkedLine, text: string): Read {
  const first = readLine(oneLine(firstLine(text) ?? ''));
  const labels = labelsOf(text);
  const isMarked = first.sign !== undefined && first.stem !== '';
  const key = labels ?? (isMarked ? first.stem : keyOfWhole({ bare, stem }, text));
  if (sign === undefined && isMarked && labels === undefined)
    return ofLine(bare === '' ? first : weakened(first), keyOf(key));
  const read = {
    action: sign?.action ?? 'trigger',
    dedup_key: keyOf(key),
    ...(severity !== undefined && { severity }),
  };
  if (read.action !== 'resolve' || !sign?.isWeaker) return read;
  return { ...read, in_doubt: { line: bare, keys: [], trigger_key: keyOf(`${key} | ${bare}`) } };
}

function keyOfWhole({ bare, stem }: Pick<MarkedLine, 'bare' | 'stem'>, text: string): string {
  if (text === '') return stem || bare;
  const hash = shortHash(unmeasured(text) || text);
  return stem === '' ? hash : `${stem} | ${hash}`;
}

const weakened = (line: MarkedLine): MarkedLine =>
  line.sign === undefined ? line : { ...line, sign: { ...line.sign, isWeaker: true } };

/** The subject; where it says nothing, with or instead of it the first line of the text. */
function titleLine({ subject, text }: Mail): string {
  const first = oneLine(firstLine(text) ?? '');
  if (subject === '') return first;
  const line = readLine(subject);
  const isNamed = line.stem !== '' && !isNameless(line);
  return isNamed || first === '' ? subject : `${subject} ${first}`;
}
