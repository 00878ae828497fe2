// From a request to alerts, by the declaration of a tool (src/alerts/reading/notation.ts).
import { eventsLimits } from '../../limits/events.ts';
import {
  type About,
  type HttpRequest,
  type Json,
  type Reading,
  type Secrets,
  tooMany,
} from '../alert.ts';
import { contentOf, repairedNote } from '../body/content.ts';
import { misreadNote } from '../hints.ts';
import { unwrapSns } from '../sns.ts';
import { isObject } from '../text.ts';
import { applyMapping } from './apply-mapping.ts';
import {
  type CompiledForm,
  compileForm,
  type FormReading,
  isNothing,
  isTitling,
  itemOfText,
  unknownForm,
} from './form.ts';
import { combined, noted } from './list.ts';
import type { Form, Tool } from './notation.ts';
import { type Lookup, opened, type Path, pathOf, type Scope, valueAt, wrappedIn } from './path.ts';

/** A tool's declaration, compiled. */
export type Reader = {
  read(request: HttpRequest, about: About, recognise: Recognise): Reading;
  /** Whether one of its forms with conditions fits exactly. */
  recognises(request: HttpRequest, json: Json): boolean;
  secretsIn(request: HttpRequest): Secrets;
};

export type Recognised = {
  readonly name: string;
  /** By its declaration alone. */
  read(request: HttpRequest, about: About): Reading;
};

/** Another tool, which sends such bodies. */
export type Recognise = (request: HttpRequest, json: Json) => Recognised | undefined;

/**
 * `mapping`: forms of one integration, read before those of the tool. Throws a NotationError for a
 * declaration that cannot be compiled.
 */
export function readerOf(
  tool: Pick<Tool, 'name' | 'forms' | 'envelope' | 'read'>,
  mapping: readonly Form[] = [],
): Reader {
  const forms = tool.forms.map((form) => compileForm(form));
  const mapped = mergedForms(mapping, tool.forms);
  const overlays = mapping.map((one) => mappedForm(one, {}));
  const fallback = compileForm(unknownForm);
  const secretPlaces = secretPlacesOf([...mapped, ...forms]);
  const secretNames = lastNamesOf(secretPlaces);
  return { read, recognises, secretsIn };

  function read(request: HttpRequest, about: About, recognise: Recognise): Reading {
    const isMapped = mapped.length > 0 && !isSettled(tool.read?.(request, about));
    const roots = isMapped ? rootsIn(request) : [];
    const readings = roots.map((root) => {
      const alone = () => (roots.length === 1 ? request : requestOf(root, request));
      const reading = readMapped(root, { request, alone }, about);
      return { root, reading, failure: failureOf(reading) };
    });
    const failure = readings.find((one) => one.failure !== undefined)?.failure;
    if (readings.every((one) => one.failure !== undefined)) {
      const reading = readByTool(request, about, recognise);
      return failure === undefined ? reading : noted(reading, failure);
    }
    return combined(
      readings.map((one) =>
        one.failure === undefined
          ? one.reading
          : noted(readByTool(requestOf(one.root, request), about, recognise), one.failure),
      ),
    );
  }

  function readByTool(request: HttpRequest, about: About, recognise: Recognise): Reading {
    // Once for all in a list, whose first hint is shown: it takes asking each tool.
    let recognised: { readonly other: Recognised | undefined } | undefined;
    const otherOf = (item: Json) => {
      recognised ??= { other: recognise(request, item) };
      return recognised.other;
    };
    if (tool.read === undefined)
      return readRoots(request, (root) => readRoot(root, request, about, otherOf));
    const reading = tool.read(request, about);
    if ('alerts' in reading && reading.isTitled !== false) return reading;
    const root = firstRoot(request);
    if (root === undefined || recognises(request, root)) return reading;
    const other = recognise(request, root);
    if (other === undefined) return reading;
    const note = hintFor(other.name, tool.name);
    const byOther = readByOther(other, { request, own: reading }, about);
    if (byOther !== undefined) return noted(byOther, readAsNote(other.name, tool.name));
    if ('unreadable' in reading) return { unreadable: `${reading.unreadable}; ${note}` };
    // Code may have read it by forms, which know no other tool.
    const isUnknown = reading.note === hintFor(undefined, tool.name);
    return isUnknown ? { ...reading, note } : noted(reading, note);
  }

  /** What no mapping changes: nothing to report, and what cannot be read without a whole mapping. */
  function isSettled(reading: ReturnType<NonNullable<Tool['read']>> | undefined): boolean {
    if (reading === undefined) return false;
    if ('unreadable' in reading) return !mapping.some(readsAlone);
    return reading.alerts.length === 0 || reading.isOfAddress === true;
  }

  /** A mapping that is wrong must not lose an alert, nor give all of them one key. */
  function readMapped(
    root: Json,
    { request, alone }: { readonly request: HttpRequest; readonly alone: () => HttpRequest },
    about: About,
  ): FormReading {
    if (isNothing(root)) return { unreadable: 'the body: is empty' };
    const unwrapped = publishedOf(root, request);
    if ('nothing' in unwrapped) return { alerts: [], note: unwrapped.nothing };
    const { scope } = unwrapped;
    const coded = tool.read === undefined ? codedFor(root, request) : undefined;
    const read = tool.read?.(alone(), about) ?? coded?.form.read(coded.scope, about);
    if (read !== undefined && 'alerts' in read && read.alerts.length === 0) return read;
    const form = formFor(scope, coded === undefined ? mapped : overlays);
    if (form === undefined) return { alerts: [], lacks: 'form' };
    if (read === undefined) return form.read(scope, about);
    if ('unreadable' in read) return readsAlone(form.own) ? form.read(scope, about) : read;
    if (form.hasOwnList) return form.read(scope, about);
    return applyMapping(read, form.items(scope, about), form.own);
  }

  /** The form that reads it without a mapping, if that is code. */
  function codedFor(root: Json, request: HttpRequest) {
    if (!forms.some(({ isCoded }) => isCoded)) return undefined;
    const unwrapped = publishedOf(unwrappedFrom(root, request), request);
    if ('nothing' in unwrapped) return undefined;
    const form = formFor(unwrapped.scope, forms);
    return form?.isCoded === true ? { form, scope: unwrapped.scope } : undefined;
  }

  function readRoot(
    sent: Json,
    request: HttpRequest,
    about: About,
    otherOf: (item: Json) => Recognised | undefined,
  ): FormReading {
    const root = unwrappedFrom(sent, request);
    if (isNothing(root)) return { unreadable: 'the body: is empty' };
    const unwrapped = publishedOf(root, request);
    if ('nothing' in unwrapped) return { alerts: [], note: unwrapped.nothing };
    const { scope } = unwrapped;
    const form = formFor(scope, forms);
    const declared = (form ?? fallback).read(scope, about);
    // A list that is the leftover of a template has no alerts; the rest of the body may be one.
    const hasNoList = 'lacks' in declared && declared.lacks === 'list';
    const reading = hasNoList ? fallback.read(scope, about) : declared;
    if (hasNoList) return { ...reading, note: hintFor(otherOf(scope.item)?.name, tool.name) };
    const isKnown = form !== undefined && (form.isConditional || reading.isTitled === true);
    if (isKnown || 'unreadable' in reading || isTest(scope.item)) return reading;
    const other = otherOf(scope.item);
    const alone = requestOf(scope.item, request);
    const byOther = other && readByOther(other, { request: alone, own: reading }, about);
    if (byOther !== undefined) return noted(byOther, readAsNote(other?.name ?? '', tool.name));
    return { ...reading, note: hintFor(other?.name, tool.name) };
  }

  /** What something wraps around a body that fits exactly without it. */
  function unwrappedFrom(sent: Json, request: HttpRequest): Json {
    const fits = (root: Json) => {
      const unwrapped = publishedOf(root, request);
      return 'nothing' in unwrapped || forms.some((form) => isExactFor(unwrapped.scope, form));
    };
    return fits(sent) ? sent : (wrappedIn(sent).find(fits) ?? sent);
  }

  function publishedOf(root: Json, request: HttpRequest): { scope: Scope } | { nothing: string } {
    const sns = tool.envelope === 'sns' ? unwrapSns(root) : undefined;
    if (sns?.nothing !== undefined) return { nothing: sns.nothing };
    const item = sns !== undefined && isObject(sns.message) ? sns.message : root;
    return { scope: { item, root, request } };
  }

  function recognises(request: HttpRequest, json: Json): boolean {
    const scope = { item: json, root: json, request };
    return forms.some((form) => isExactFor(scope, form));
  }

  function secretsIn(request: HttpRequest): Secrets {
    if (secretPlaces.length === 0) return noSecrets;
    const content = contentOf(request.body, request.contentType);
    const isRead = 'json' in content && content.repaired !== true;
    const roots = 'json' in content ? rootsOf(content.json) : [];
    const hasPlaces = tooMany(roots.length, '') === undefined;
    const names = isRead && hasPlaces ? [] : secretNames;
    if (!hasPlaces) return { ...noSecrets, names };
    const scopes = openedRoots(roots).map((root) => ({ item: root, root, request }));
    const omitted = scopes.flatMap((scope) =>
      secretPlaces.flatMap(({ form, places }) =>
        form
          .scopes(scope)
          .flatMap((within) => places.map(({ path }) => valueAt(path, within, 'loose'))),
      ),
    );
    const isText = (value: Json | undefined) => typeof value === 'string';
    const texts = new Set(omitted.filter(isText).flatMap(textsIn));
    const values = new Set(omitted.filter((value) => !isText(value)).flatMap(textsIn));
    return { texts: [...texts], values: [...values], names };
  }
}

type SecretPlaces = {
  readonly form: CompiledForm;
  readonly places: readonly { readonly written: string; readonly path: Path }[];
};

/** The places that forms leave out, each once of the same list: many forms have the same. */
function secretPlacesOf(forms: readonly CompiledForm[]): readonly SecretPlaces[] {
  const seen = new Set<string>();
  return forms.flatMap((form) => {
    const places = form.omit.flatMap((written) => {
      const one = `${form.each ?? ''} ${written}`;
      if (seen.has(one)) return [];
      seen.add(one);
      return [{ written, path: pathOf(written) }];
    });
    return places.length === 0 ? [] : [{ form, places }];
  });
}

/** What the places end in: what members are called, where they cannot be looked up. */
const lastNamesOf = (places: readonly SecretPlaces[]): readonly string[] => [
  ...new Set(places.flatMap((one) => one.places.flatMap(({ path }) => lastNames(path)))),
];

const lastNames = (path: Path): readonly string[] =>
  path.flatMap(({ steps }) => {
    const last = steps.findLast((step) => 'name' in step);
    return last !== undefined && 'name' in last ? [last.name] : [];
  });

const noSecrets: Secrets = { texts: [], values: [], names: [] };

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return value.length >= eventsLimits.secretLength ? [value] : [];
  if (value === undefined || value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(textsIn);
}

/** Whether it fits exactly, and for what the body holds: headers alone say less. */
function isExactFor(scope: Scope, form: CompiledForm): boolean {
  return form.isConditional && form.fits(scope, 'exact') && isOfBody(scope, form, 'exact');
}

const isOfBody = (scope: Scope, form: CompiledForm, lookup: Lookup): boolean =>
  !form.fits({ ...scope, item: {}, root: {} }, lookup);

/** That of the address; then one that fits exactly, before one that fits what is called alike or wrapped in something. */
const formFor = <Compiled extends CompiledForm>(
  scope: Scope,
  forms: readonly Compiled[],
): Compiled | undefined =>
  forms.find((form) => form.isOfAddress && form.fits(scope, 'exact')) ??
  forms.find((form) => isExactFor(scope, form)) ??
  forms.find((form) => form.fits(scope, 'loose') && isOfBody(scope, form, 'loose')) ??
  forms.find((form) => form.isConditional && form.fits(scope, 'exact')) ??
  forms.find((form) => form.fits(scope, 'loose'));

type MappedForm = CompiledForm & {
  /** As the mapping has it. */
  readonly own: Form;
  /** Its alerts are not those of the type. */
  readonly hasOwnList: boolean;
};

const mappedForm = (own: Form, base: Form): MappedForm => ({
  ...compileForm({ ...base, ...own, when: [...(base.when ?? []), ...(own.when ?? [])] }, own),
  own,
  hasOwnList: own.each !== undefined && own.each !== base.each,
});

/** What a mapping says replaces what the form says that reads the same body. */
const mergedForms = (mapping: readonly Form[], forms: Tool['forms']): readonly MappedForm[] =>
  mapping.flatMap((one) => {
    const isNamed = one.name !== undefined || one.message !== undefined;
    const merged = forms.flatMap((form) => {
      if ('read' in form) return [];
      const { title, ...others } = form;
      const base = isNamed || title === undefined ? others : { title, ...others };
      return [mappedForm(one, base)];
    });
    return [...merged, mappedForm(one, unknownForm)];
  });

/** It needs nothing of a type that cannot read the same. */
const readsAlone = (form: Form): boolean =>
  form.each !== undefined ||
  (isTitling(form) && (form.key ?? form.name) !== undefined && form.state !== undefined);

function readRoots(request: HttpRequest, readRoot: (root: Json) => FormReading): FormReading {
  const content = contentOf(request.body, request.contentType);
  if ('unreadable' in content) return content;
  const roots = 'text' in content ? [itemOfText(content.text)] : rootsOf(content.json);
  const refusal = tooMany(roots.length, 'the body');
  if (refusal !== undefined) return refusal;
  if (roots.length === 0) return { alerts: [], note: 'the body is an empty list' };
  const reading = combined(openedRoots(roots).map(readRoot));
  const isRepaired = 'repaired' in content && content.repaired === true;
  return isRepaired ? noted(reading, repairedNote) : reading;
}

/** None of what cannot be read at all: the type says why. */
function rootsIn({ body, contentType }: HttpRequest): readonly Json[] {
  const content = contentOf(body, contentType);
  if ('unreadable' in content) return [];
  const roots = 'text' in content ? [itemOfText(content.text)] : rootsOf(content.json);
  return tooMany(roots.length, 'the body') === undefined ? roots : [];
}

/** As if it had come with this alone. */
const requestOf = (root: Json, request: HttpRequest): HttpRequest => ({
  ...request,
  contentType: 'application/json',
  body: new TextEncoder().encode(JSON.stringify([root])),
});

/** Never to less than an alert: what another tool's declaration finds nothing in opens an incident. */
function readByOther(
  other: Recognised,
  { request, own }: { readonly request: HttpRequest; readonly own: FormReading },
  about: About,
): FormReading | undefined {
  const reading = other.read(request, about);
  if ('unreadable' in reading || reading.alerts.length === 0) return undefined;
  // The release 0.1.0 read it by the integration's own type.
  const [first] = 'alerts' in own ? own.alerts : [];
  const former = first?.former_key ?? first?.dedup_key;
  const { alerts, ...rest } = reading;
  return {
    ...rest,
    alerts: alerts.map(({ former_key: _ofOther, ...alert }) => ({
      ...alert,
      ...(former !== undefined && former !== alert.dedup_key && { former_key: former }),
    })),
  };
}

function failureOf(reading: FormReading): string | undefined {
  if ('unreadable' in reading) return reading.unreadable;
  if (reading.lacks === 'form') return 'no form of the mapping matches';
  return reading.lacks === undefined ? undefined : `the mapping found no ${reading.lacks}`;
}

function firstRoot({ body, contentType }: HttpRequest): Json | undefined {
  const content = contentOf(body, contentType);
  return 'json' in content ? rootsOf(content.json)[0] : undefined;
}

const rootsOf = (json: Json): readonly Json[] => (Array.isArray(json) ? json : [json]);

/** Each once, for many places are looked up in it. */
const openedRoots = (roots: readonly Json[]): readonly Json[] => roots.map(opened);

const isTest = (item: Json): boolean => isObject(item) && item['test'] === true;

const readAsNote = (other: string, name: string): string =>
  `${hintFor(other, name)}: it is read as ${other} sends it`;

const hintFor = (other: string | undefined, name: string): string =>
  other === undefined
    ? `unknown form of ${name}: a mapping can define its title and key`
    : misreadNote(other, name);
