// One form of a tool's messages, compiled, and what it makes of a message.
import { type About, type AlertEvent, type Json, type Reading, tooMany } from '../alert.ts';
import { canonical } from '../body/json.ts';
import { spend } from '../effort.ts';
import { shortHash } from '../hash.ts';
import { doubtOf } from '../in-doubt.ts';
import { instantOf } from '../instant.ts';
import { plain } from '../plain.ts';
import { groupTime } from '../source-time.ts';
import { isObject, keyOf, nameOf, oneLine, titleOf, withWholeTitle } from '../text.ts';
import { knownAction } from '../words.ts';
import { expressionOf } from './expression.ts';
import { keyOfUnknown } from './identity.ts';
import { lastingKey } from './lasting.ts';
import { formerTitle, likelyTitle } from './likely-title.ts';
import { linksFrom } from './links.ts';
import { cutNote, noted, notObjects, omittedOf, unreadNote } from './list.ts';
import type { CodedForm, Form, Outcome } from './notation.ts';
import { NotationError } from './notation-error.ts';
import {
  firstLine,
  isWritten,
  type Lookup,
  opened,
  type Path,
  pathOf,
  type Scope,
  textOf,
  valueAt,
} from './path.ts';
import { removeValues } from './remove-values.ts';
import {
  listOf,
  pathsOf,
  priorityRule,
  severityRule,
  stateOf,
  stateOfLine,
  wordAt,
} from './rules.ts';
import { mayHaveGap, withoutLeftovers } from './template-leftovers.ts';
import { formerLineFrom, keyFrom, lineFrom } from './texts.ts';
import { formerTitleWithoutState, namedTitleWithoutState } from './title-without-state.ts';

/** Of what is not counted by itself. */
const ALERT_WORK = 100;

export type CompiledForm = {
  /** Whether it has conditions, so that fitting says something. */
  readonly isConditional: boolean;
  readonly isCoded: boolean;
  readonly isOfAddress: boolean;
  /** Places that it leaves out of what is stored, as written. */
  readonly omit: readonly string[];
  /** The list of its alerts, as written. */
  readonly each: string | undefined;
  /** The scopes of the alerts that it reads. */
  scopes(scope: Scope): readonly Scope[];
  fits(scope: Scope, lookup: Lookup): boolean;
  /** Alert by alert, for what is laid over another reading. */
  items(scope: Scope, about: About): Items;
  read(scope: Scope, about: About): FormReading;
};

/** A reading, where there is nothing to lay over another: code, or no list. */
export type Items =
  | { readonly items: readonly ItemReading[]; readonly unread?: string | undefined }
  | FormReading;

/**
 * `isTitled`: the title is from where the form says, or from what is called like one. `lacks`: what
 * the form says the place of, and was there in no alert.
 */
export type FormReading = Reading & {
  readonly isTitled?: boolean;
  readonly lacks?: Lacking;
};

/** `form`: none of a mapping fits. */
export type Lacking = 'title' | 'key' | 'list' | 'form';

/**
 * `own`: what of the form must be found, of one that is merged. Throws a NotationError whose message
 * names what is wrong.
 */
export function compileForm(form: Form | CodedForm, own: Form = form): CompiledForm {
  const conditions = (form.when ?? []).map(conditionOf);
  const each = 'each' in form && form.each !== undefined ? pathOf(form.each) : undefined;
  const isCoded = 'read' in form;
  const items = isCoded ? readerOfCode(form) : itemsOfForm(form, own);
  const isMapping = own !== form;
  return {
    isConditional: conditions.length > 0,
    isCoded,
    isOfAddress: 'isOfAddress' in form,
    omit: form.omit ?? [],
    each: 'each' in form ? form.each : undefined,
    scopes: (scope) =>
      each === undefined
        ? [scope]
        : (listAt(each, scope) ?? []).map((item) => ({ ...scope, item })),
    fits: (scope, lookup) => conditions.every((holds) => holds(scope, lookup)),
    items,
    read: (scope, about) => {
      const reading = items(scope, about);
      if (!('items' in reading)) return reading;
      const read = noted(collected(reading.items, isMapping), reading.unread);
      return noted(read, 'note' in form ? form.note : undefined);
    },
  };
}

/** Code may find no title and no key either. */
const readerOfCode =
  ({ read }: CodedForm): ((scope: Scope, about: About) => FormReading) =>
  (scope, about) => {
    const reading = read(scope, about);
    if ('unreadable' in reading) return reading;
    return { ...reading, alerts: reading.alerts.map((alert) => whole(alert, scope.item, about)) };
  };

function whole(alert: AlertEvent, item: Json, about: About): AlertEvent {
  if (alert.title !== '' && alert.dedup_key !== '') return alert;
  const likely = likelyTitle(item);
  return {
    ...alert,
    title: alert.title || titleOf(oneLine(likely ?? '')) || nameOf(about),
    dedup_key: alert.dedup_key || keyOf(keyOfTitle(formerTitle(item), item)),
  };
}

type Condition = (scope: Scope, lookup: Lookup) => boolean;

function conditionOf(written: string): Condition {
  const not = written.startsWith('!');
  const [place = '', mark, expected = ''] = split(written.slice(not ? 1 : 0));
  const path = pathOf(place);
  if (mark === undefined) return (scope, lookup) => isWritten(path, scope, lookup) !== not;
  const test =
    mark === '~' ? expressionOf(`/${expected}/`).test : (text: string) => text === expected;
  return (scope, lookup) => {
    const text = textOf(valueAt(path, scope, lookup));
    return (text !== undefined && test(text)) !== not;
  };
}

// Brackets may hold an equals sign too: list[name=x].
function split(condition: string): readonly (string | undefined)[] {
  const match = /^((?:[^=~[\]]|\[[^\]]*\])+)(?:([=~])(.*))?$/s.exec(condition);
  if (match === null) throw new NotationError(`${condition} is not a valid condition`);
  return match.slice(1);
}

function itemsOfForm(form: Form, own: Form): CompiledForm['items'] {
  const readItem = itemReader(form, own);
  if (form.each === undefined) return (scope, about) => ({ items: [readItem(scope, about)] });
  const each = pathOf(form.each);
  return (scope, about) => {
    const list = listAt(each, scope);
    if (list === undefined)
      return { alerts: [], note: `${form.each} is missing`, lacks: 'list' as const };
    const refusal = tooMany(list.length, form.each ?? '');
    if (refusal !== undefined) return refusal;
    if (list.length === 0) return { alerts: [], note: `${form.each} is empty` };
    // What stands between objects is none of these alerts.
    const values = list.map(opened);
    const objects = values.filter(isObject);
    const items = (objects.length > 0 ? objects : values).map((item) =>
      readItem({ ...scope, item }, about),
    );
    if (objects.length === 0 || objects.length === list.length) return { items };
    return { items, unread: unreadNote(notObjects(values, form.each ?? ''), list.length) };
  };
}

function listAt(path: Path, scope: Scope): readonly Json[] | undefined {
  const value = valueAt(path, scope, 'exact') ?? valueAt(path, scope, 'loose');
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value : [value];
}

export type ItemReading = { readonly isTitled: boolean; readonly lacks: Lacking | undefined } & (
  | { readonly alert: AlertEvent; readonly mapped: Mapped }
  | { readonly nothing: string }
);

/** What of the alert is where a mapping says; `end`: its time is over. */
type Mapped = { readonly title: boolean; readonly key: boolean; readonly end: boolean };

function collected(readings: readonly ItemReading[], isMapping: boolean): FormReading {
  const alerts = readings.flatMap((one) => ('alert' in one ? [one.alert] : []));
  const nothing = readings.find((one) => 'nothing' in one);
  const isTitled = readings.some((one) => one.isTitled);
  const lacking = readings.filter((one) => one.lacks !== undefined);
  const [first] = lacking;
  const lacks = lacking.length === alerts.length ? first?.lacks : undefined;
  const isPartial = isMapping && lacks === undefined;
  const note =
    alerts.length === 0 ? nothing?.nothing : isPartial ? noteOf(first?.lacks) : undefined;
  const reading = {
    alerts,
    isTitled,
    ...(lacks !== undefined && { lacks }),
    ...(note !== undefined && { note }),
  };
  return noted(reading, alerts.find((alert) => alert.note !== undefined)?.note);
}

/** Of some of the alerts: the others are as they should be, and these have keys of their own. */
export const noteOf = (lacking: Lacking | undefined): string | undefined =>
  lacking && `some of the alerts have no ${lacking} at the path in the mapping`;

function itemReader(form: Form, own: Form): (scope: Scope, about: About) => ItemReading {
  const title = titleFrom(form, lineFrom);
  const host = lineFrom(form.host);
  const identify = identityFrom(form);
  const state = form.state === undefined ? likelyState : stateOf(form.state);
  const severity = severityRule(form.severity);
  const priority = priorityRule(form.priority);
  const links = linksFrom(form.links);
  const until = pathsOf(form.until);
  const [cut, group] = [pathsOf(form.cut), pathsOf(form.group)];
  const [began, ended] = [pathsOf(form.began), pathsOf(form.ended)];
  const omit = (form.omit ?? []).map(pathOf);
  // A form without conditions fits anything: only a title where it says tells that it is its own.
  const isConditional = (form.when ?? []).length > 0;
  return (scope, about) => {
    spend(ALERT_WORK);
    const declared = title(scope);
    const likely = declared ?? likelyTitle(scope.item);
    const where = host(scope);
    const isTitled = (isConditional ? likely : declared) !== undefined;
    const { key: declaredKey, ...keys } = identify(scope, likely, where);
    const { outcome: stated, word, line: marked } = state(scope);
    const ends = instantOf(wordAt(until, scope));
    const isOver = ends !== undefined && Temporal.Instant.compare(ends, about.receivedAt) <= 0;
    const outcome = stated === 'trigger' && isOver ? 'resolve' : stated;
    const lacks = lackingOf(own, { outcome, title: declared, key: declaredKey });
    if (outcome === 'nothing') return { nothing: reasonOf(word), isTitled, lacks: undefined };
    const isUnwatched = outcome === 'unwatched';
    const action = isUnwatched ? 'resolve' : outcome;
    const keyed = keysOf(keys, outcome);
    const line = withHost(oneLine(likely ?? '') || nameOf(about), where);
    const details = withWholeTitle(line, removeValues(scope.item, omit));
    const [grade, rank] = [severity(scope), priority(scope)];
    const listed = links(scope);
    const omitted = omittedOf(wordAt(cut, scope));
    const groupedBy = wordAt(group, scope);
    const at = instantOf(wordAt(action === 'resolve' ? ended : began, scope));
    const sourceTime = groupTime(at, about.receivedAt);
    const isTitleMapped = declared !== undefined && isTitling(own);
    return {
      isTitled,
      lacks,
      mapped: {
        title: isTitleMapped,
        key:
          own.key !== undefined ||
          (form.key === undefined
            ? own.name !== undefined
            : declaredKey === undefined && isTitleMapped),
        end: own.until !== undefined && isOver,
      },
      alert: {
        action,
        ...keyed,
        ...(outcome === 'resolve' && marked && doubtOf(marked, keyed.dedup_key)),
        ...(outcome === 'resolve' && marked?.sign?.isWeaker === false && { is_marked: true }),
        ...(isUnwatched && { unwatched: titleOf(oneLine(firstLine(word) ?? word)) }),
        title: titleOf(line),
        ...(details !== undefined && details !== null && { details }),
        ...(grade !== undefined && { severity: grade }),
        ...(rank !== undefined && { priority: rank }),
        ...(listed.length > 0 && { links: listed }),
        ...(omitted !== undefined && { omitted }),
        ...(omitted && { note: cutNote(omitted) }),
        ...(groupedBy !== undefined && { group: groupedBy }),
        ...(sourceTime !== undefined && { sourceTime }),
        ...(outcome === 'trigger' && ends !== undefined && { expires_at: ends }),
      },
    };
  };
}

/** The tool need not repeat the title when a problem ends. */
function lackingOf(
  own: Form,
  read: {
    readonly outcome: Outcome;
    readonly title: string | undefined;
    readonly key: string | undefined;
  },
): Lacking | undefined {
  if (own.key !== undefined && read.key === undefined) return 'key';
  const isNew = read.outcome === 'trigger';
  return isTitling(own) && isNew && read.title === undefined ? 'title' : undefined;
}

/** Whether it says where a title stands. */
export const isTitling = ({ title, name, message }: Form): boolean =>
  [title, name, message].some((one) => one !== undefined);

const reasonOf = (word: string) =>
  word === '' ? 'it reports no problem' : `"${oneLine(word).slice(0, 100)}" reports no problem`;

type Identity = {
  /** From where the form says that the key stands. */
  readonly key: string | undefined;
  /** From there, or else of a name or a title. */
  readonly dedup: string;
  readonly former: string;
  /** What stands there and is no key. */
  readonly raw: string | undefined;
  /** There is no key, no name and no title. */
  readonly isUnnamed: boolean;
};

/** What the key is made of; `shown`: the title, if there is one. */
function identityFrom(form: Form) {
  const key = keyFrom(form.key, form);
  const formerPlaces = asFormer(form.was ?? form.key);
  const formerKey =
    form.was === undefined && !isOfStem(form.key) ? undefined : keyFrom(formerPlaces);
  const name = keyFrom(listOf(form.name).map((one) => [one]));
  const formerLine = titleFrom(form, formerLineFrom);
  const isOfAnything = [form.key, form.name, form.title].every((one) => one === undefined);
  return (scope: Scope, shown: string | undefined, where: string | undefined): Identity => {
    const { item } = scope;
    const keyed = key(scope, shown);
    const formerly = formerKey?.(scope) ?? keyed;
    const isSettled = keyed.key !== undefined && formerly.former !== undefined;
    const named = isSettled ? {} : name(scope);
    const ofName = lineOf(named.key);
    const former = formerly.former ?? lineOf(named.former);
    const title = isSettled ? undefined : (formerLine(scope) ?? formerTitle(item));
    // An end without a title: whether its key was taken for one when it began depends on the title.
    const isDoubtful =
      form.isTemplate === true && shown === undefined && mayHaveGap(keyed.key ?? '');
    return {
      key: keyed.key,
      dedup: keyed.key ?? ofName ?? keyOfShown({ shown, title, where, isOfAnything }, item),
      former: former ?? keyOfTitle(title, item),
      raw: keyed.raw ?? (isDoubtful ? keyed.key : undefined),
      isUnnamed:
        (keyed.key === undefined || isDoubtful) && ofName === undefined && shown === undefined,
    };
  };
}

const lineOf = (text: string | undefined) =>
  text === undefined ? undefined : firstLine(text)?.trim();

function keysOf({ dedup, former, raw, isUnnamed }: Omit<Identity, 'key'>, outcome: Outcome) {
  const [dedup_key, former_key] = [keyOf(dedup), keyOf(former)];
  // What has a title ends by that alone: what else came with the same text may be another problem.
  const isRawKnown = raw !== undefined && (outcome === 'trigger' || isUnnamed);
  return {
    dedup_key,
    ...(former_key !== dedup_key && { former_key }),
    ...(isRawKnown && { raw_key: keyOf(raw) }),
  };
}

type Shown = {
  readonly shown: string | undefined;
  /** As it was written. */
  readonly title: string | undefined;
  readonly where: string | undefined;
  readonly isOfAnything: boolean;
};

/** Of a title that says nothing of its problem, only what was sent tells problems apart. */
function keyOfShown({ shown, title, where, isOfAnything }: Shown, item: Json): string {
  const isCut = title !== undefined && title !== shown && withoutLeftovers(title) === shown;
  if (shown === undefined) return lastingKey(item);
  if (isCut || (isOfAnything && !isText(item)))
    return keyOfUnknown(oneLine(shown), item) || lastingKey(item);
  const stem = namedTitleWithoutState(oneLine(shown));
  if (stem === '') return keyOfUnknown(oneLine(shown), item) || lastingKey(item);
  return where === undefined ? stem : `${where} | ${stem}`;
}

/** As the release 0.1.0 made it. */
const keyOfTitle = (title: string | undefined, item: Json): string =>
  title === undefined
    ? shortHash(canonical(item))
    : formerTitleWithoutState(oneLine(title)) || shortHash(title);

const STEM = / > stem(?=$| \||\}| >)/g;

const isOfStem = (key: Form['key'] = []): boolean =>
  key.some((places) => places.some((text) => text.search(STEM) >= 0));

/** The same places with stems as the release 0.1.0 made them. */
const asFormer = (key: Form['key'] = []): NonNullable<Form['key']> =>
  key.map((places) => places.map((text) => text.replace(STEM, ' > stem of 0.1.0')));

/** With where it is in front, unless it says so. */
function withHost(line: string, host: string | undefined): string {
  if (host === undefined || namesHost(line, host)) return line;
  return oneLine(`${host}: ${line}`);
}

/** Of a host with its domain or port, its name says enough. */
function namesHost(line: string, host: string): boolean {
  const text = line.toLowerCase();
  const whole = host.toLowerCase();
  const bare = whole.replace(/:\d{1,5}$/, '');
  const [name = ''] = /^[\d.]+$/.test(bare) ? [bare] : bare.split('.', 1);
  return [whole, bare, ...(name.length > 1 ? [name] : [])].some((one) => text.includes(one));
}

function titleFrom(
  { title, name, message }: Form,
  from: typeof lineFrom,
): (scope: Scope) => string | undefined {
  const whole = from(title);
  const [nameLine, messageLine] = [from(name), from(message)];
  return (scope) => {
    const declared = whole(scope);
    if (declared !== undefined) return declared;
    const texts = [nameLine(scope), messageLine(scope)].filter((one) => one !== undefined);
    return texts.length > 0 ? texts.join(': ') : undefined;
  };
}

const stateNames = ['status', 'state', 'event_type', 'action'].map(pathOf);

/** Where a form names no state: the first word that is known of those that are called like one. */
function likelyState(scope: Scope): ReturnType<ReturnType<typeof stateOf>> {
  const known = stateNames.flatMap((path) => {
    const word = wordAt(path, scope);
    const outcome = knownAction(word);
    if (outcome === undefined || word === undefined) return [];
    return [{ outcome, word, isInner: valueAt(path, scope, 'exact') === undefined }];
  });
  const [first] = known;
  // Nothing is called like a state: the title may have its mark.
  if (first === undefined)
    return stateOfLine(likelyTitle(scope.item)) ?? { outcome: 'trigger', word: '' };
  if (!ofRequests.has(plain(first.word))) return first;
  return known.find(({ outcome, isInner }) => isInner && outcome === 'trigger') ?? first;
}

/** Around an alert, they may say no more than that it was fetched or sent. */
const ofRequests: ReadonlySet<string> = new Set(['ok', 'success', 'successful', 'succeeded']);

/** A form for what no form of the tool fits. */
export const unknownForm: Form = { severity: ['severity', 'level'], priority: 'priority' };

/** What a body of plain text says, as an item that places can be looked up in. */
export const itemOfText = (text: string): Json => ({ text, line: firstLine(text) ?? text });

const isText = (item: Json): boolean =>
  typeof item === 'string' || (isObject(item) && Object.keys(item).join(' ') === 'text line');

/** Whether nothing can be looked up in it: it has no member and no text. */
export const isNothing = (item: Json): boolean =>
  typeof item === 'object' && item !== null
    ? Object.keys(item).length === 0
    : typeof item !== 'string' || item === '';
