// What the places of a mapping's form find in a body, for whoever writes one.
import type { AlertRequest, Json } from '../alert.ts';
import { contentOf } from '../body/content.ts';
import { unwrapSns } from '../sns.ts';
import { isObject } from '../text.ts';
import { compileForm, itemOfText } from './form.ts';
import type { Form } from './notation.ts';
import { pathOf, type Scope, textOf, valueAt } from './path.ts';
import { listOf } from './rules.ts';
import { hasPlaces, lineFrom } from './texts.ts';

export type Finding = {
  /** Of the mapping, such as `forms[0].key[0][1]`. */
  readonly at: string;
  readonly place: string;
  /** Null: nothing stands there. */
  readonly value: string | null;
};

const LONGEST = 500;

/** Of the first form that fits the first alert of a request; none if no form fits. */
export function findingsIn(forms: readonly Form[], request: AlertRequest): readonly Finding[] {
  const scope = scopeOf(request);
  if (scope === undefined) return [];
  const compiled = forms.map(({ when = [] }) => compileForm({ when }));
  const exact = compiled.findIndex((one) => one.isConditional && one.fits(scope, 'exact'));
  const index = exact >= 0 ? exact : compiled.findIndex((one) => one.fits(scope, 'loose'));
  const form = forms[index];
  if (form === undefined) return [];
  return findings(form, `forms[${index}]`, inFirst(form, scope));
}

function scopeOf(request: AlertRequest): Scope | undefined {
  if (request.source === 'mail') {
    const { subject, from, text, headers } = request;
    const item = { subject, from, text };
    return { item, root: item, request: { path: '', query: '', headers } };
  }
  const content = contentOf(request.body, request.contentType);
  if ('unreadable' in content) return undefined;
  const body = 'text' in content ? itemOfText(content.text) : content.json;
  const [root = null] = Array.isArray(body) ? body : [body];
  const sns = unwrapSns(root);
  const item: Json = sns !== undefined && isObject(sns.message) ? sns.message : root;
  return { item, root, request };
}

function inFirst({ each }: Form, scope: Scope): Scope {
  if (each === undefined) return scope;
  const list = valueAt(pathOf(each), scope, 'loose');
  const item = Array.isArray(list) ? list[0] : list;
  return item === undefined ? scope : { ...scope, item };
}

function findings(form: Form, at: string, scope: Scope): readonly Finding[] {
  const { key = [], state = [], links = {} } = form;
  const of = (name: string, places: readonly string[]) =>
    places.map((place, index) => findingOf(`${at}.${name}[${index}]`, place, scope));
  const graded = (['severity', 'priority'] as const).flatMap((name) => {
    const rule = form[name];
    const isRule = typeof rule === 'object' && 'at' in rule;
    return isRule ? of(`${name}.at`, listOf<string>(rule.at as string | readonly string[])) : [];
  });
  return [
    ...of('title', listOf(form.title)),
    ...of('name', listOf(form.name)),
    ...of('message', listOf(form.message)),
    ...key.flatMap((places, index) => of(`key[${index}]`, places)),
    ...state.flatMap((rule, index) => of(`state[${index}].at`, listOf(rule.at))),
    ...graded,
    ...Object.entries(links).flatMap(([text, places]) => of(`links.${text}`, listOf(places))),
    ...of('until', listOf(form.until)),
  ];
}

function findingOf(at: string, place: string, scope: Scope): Finding {
  const text = hasPlaces(place)
    ? lineFrom(place)(scope)
    : textOf(valueAt(pathOf(place), scope, 'loose'));
  return { at, place, value: text?.slice(0, LONGEST) ?? null };
}
