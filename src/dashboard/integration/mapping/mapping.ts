// A mapping as its tab edits it: the fields of its first form; all else is kept, and seen as JSON.
import type { Problem } from '../../../resources/declaration/resource.ts';
import { readObject } from '../../../resources/declaration/validate.ts';
import { mappingInput } from '../../../resources/integration-mapping.ts';

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

type Typed =
  | { readonly forms: readonly Form[] }
  | { readonly problems: readonly Problem[] | 'no_json' };

const readOnly = ['integration_id', 'revision', 'archived_at'];

/** Forms typed as JSON, alone or as the API answers them. */
export function formsIn(text: string): Typed {
  let typed: unknown;
  try {
    typed = JSON.parse(text);
  } catch {
    return { problems: 'no_json' };
  }
  const body = Array.isArray(typed) ? { forms: typed } : typed;
  const read = readObject(mappingInput, body, { ignored: readOnly });
  // The reader has held it to the schema.
  return read.ok ? { forms: read.value['forms'] as readonly Form[] } : { problems: read.problems };
}
