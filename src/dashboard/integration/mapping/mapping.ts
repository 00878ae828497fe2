// A mapping as its tab edits it: the fields of its first form; all else is kept, and seen as JSON.
import { isObject } from '../../../resources/declaration/is-object.ts';

export type StateRule = {
  readonly at: readonly string[];
  readonly trigger?: string;
  readonly acknowledge?: string;
  readonly resolve?: string;
  readonly nothing?: string;
  readonly else?: string;
};

export type Form = {
  readonly when?: readonly string[];
  readonly title?: readonly string[];
  readonly name?: readonly string[];
  readonly message?: readonly string[];
  readonly key?: readonly (readonly string[])[];
  readonly state?: readonly StateRule[];
  readonly severity?: { readonly at: readonly string[] };
  readonly each?: string;
  readonly priority?: object;
  readonly links?: object;
  readonly until?: readonly string[];
  readonly omit?: readonly string[];
};

export type Mapping = { readonly revision: number; readonly forms: readonly Form[] };

/** Undefined: the form does not say it. */
export type Change = { readonly [name in keyof Form]?: Form[name] | undefined };

/** Of the first form; the others stay. */
export function withChange(forms: readonly Form[], change: Change): readonly Form[] {
  const [first = {}, ...others] = forms;
  const entries = Object.entries({ ...first, ...change });
  return [Object.fromEntries(entries.filter(([, value]) => value !== undefined)), ...others];
}

/** Without what was left blank. */
export const cleaned = (forms: readonly Form[]): readonly Form[] =>
  (withoutBlanks(forms) ?? []) as readonly Form[];

function withoutBlanks(value: unknown): unknown {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (Array.isArray(value)) {
    const members = value.map(withoutBlanks).filter((one) => one !== undefined);
    return members.length === 0 ? undefined : members;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, withoutBlanks(one)]);
  const written = entries.filter(([, one]) => one !== undefined);
  return written.length === 0 ? undefined : Object.fromEntries(written);
}

const inFields = ['when', 'title', 'name', 'message', 'key', 'state', 'severity'];
const ofState = ['at', 'trigger', 'resolve', 'nothing'];

/** Whether there is more of it than its fields show. */
export function hasMore([form = {}, ...others]: readonly Form[]): boolean {
  const [state = {}, ...states] = form.state ?? [];
  const isMore = (of: object, shown: readonly string[]) =>
    Object.keys(of).some((name) => !shown.includes(name));
  return (
    isMore(form, inFields) ||
    isMore(state, ofState) ||
    isMore(form.severity ?? {}, ['at']) ||
    [...others, ...states, ...(form.key ?? []).slice(1)].length > 0
  );
}

/** Forms typed as JSON, alone or as the API answers them, which also checks them. Null: none. */
export function formsIn(text: string): readonly Form[] | null {
  try {
    const typed: unknown = JSON.parse(text);
    const forms = isObject(typed) ? typed['forms'] : typed;
    return Array.isArray(forms) ? forms : null;
  } catch {
    return null;
  }
}

/** Whether fields can show the first form; what the API has not checked yet may be anything. */
export function isShowable([form = {}]: readonly unknown[]): boolean {
  if (!isObject(form)) return false;
  const { key = [], state = [], severity = { at: [] } } = form;
  return (
    ['when', 'title', 'name', 'message'].every((name) => isTexts(form[name] ?? [])) &&
    isListOf(isTexts, key) &&
    isListOf((rule) => isObject(rule) && isTexts(rule['at']), state) &&
    isObject(severity) &&
    isTexts(severity['at'])
  );
}

const isListOf = (isMember: (value: unknown) => boolean, value: unknown): boolean =>
  Array.isArray(value) && value.every(isMember);

const isTexts = (value: unknown) => isListOf((one) => typeof one === 'string', value);
