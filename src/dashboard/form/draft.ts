// A record as somebody edits it: plain JSON, in which a map is a list of its rows, so that names can
// be typed, and a number may be a text that is none yet.
import { isObject } from '../../resources/declaration/is-object.ts';
import type { Field, Variant, Widget } from './form.ts';

export type Draft = Readonly<Record<string, unknown>>;
/** A row of a map. */
export type Row = readonly [name: string, value: unknown];

/** Only what the form has, in its order. */
export function draftOf(fields: readonly Field[], record: Draft): Draft {
  return Object.fromEntries(
    fields
      .filter(({ name }) => record[name] !== undefined)
      .map(({ name, widget }) => [name, draftValue(widget, record[name])]),
  );
}

function draftValue(widget: Widget, value: unknown): unknown {
  switch (widget.type) {
    case 'list':
      return Array.isArray(value) ? value.map((one) => draftValue(widget.member, one)) : value;
    case 'map':
      return isObject(value)
        ? Object.entries(value).map(([name, one]): Row => [name, draftValue(widget.value, one)])
        : value;
    case 'object':
      return isObject(value) ? draftOf(widget.fields, value) : value;
    case 'variant': {
      if (!isObject(value)) return value;
      const variant = variantOf(widget, value);
      // A newer server may have one that this version does not know.
      if (variant === undefined) return value;
      return { [widget.by]: variant.value, ...draftOf(variant.fields, value) };
    }
    default:
      return value;
  }
}

/** What the API takes. */
export function bodyOf(fields: readonly Field[], draft: Draft): Draft {
  return Object.fromEntries(
    fields.flatMap(({ name, widget }) => {
      const value = bodyValue(widget, draft[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function bodyValue(widget: Widget, value: unknown): unknown {
  switch (widget.type) {
    case 'list':
      return Array.isArray(value)
        ? value.map((one) => bodyValue(widget.member, one) ?? null)
        : value;
    case 'map':
      return isRows(value)
        ? Object.fromEntries(value.map(([name, one]) => [name, bodyValue(widget.value, one)]))
        : value;
    case 'object':
      return isObject(value) ? bodyOf(widget.fields, value) : value;
    case 'variant': {
      if (!isObject(value)) return value;
      const variant = variantOf(widget, value);
      if (variant === undefined) return value;
      return { [widget.by]: variant.value, ...bodyOf(variant.fields, value) };
    }
    default:
      return value;
  }
}

export const isRows = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.every((one) => Array.isArray(one) && one.length === 2);

export const variantOf = (
  { by, variants }: Extract<Widget, { type: 'variant' }>,
  value: Draft,
): Variant | undefined => variants.find((one) => one.value === value[by]);

/** The draft with another value of one field; undefined takes it away. */
export function withValue(
  fields: readonly Field[],
  draft: Draft,
  [name, value]: readonly [string, unknown],
): Draft {
  const next = { ...draft, [name]: value };
  // In the order of the form, so that what is as it was again is seen to be.
  return Object.fromEntries(
    [
      ...Object.keys(draft).filter((key) => !fields.some((one) => one.name === key)),
      ...fields.map((one) => one.name),
    ]
      .filter((key) => next[key] !== undefined)
      .map((key) => [key, next[key]]),
  );
}

/** A new record: what has to be there is, and empty. */
export const newDraft = (fields: readonly Field[]): Draft =>
  Object.fromEntries(
    fields
      .filter(({ isRequired }) => isRequired)
      .flatMap(({ name, widget }) => {
        const value = blankOf(widget);
        return value === undefined ? [] : [[name, value]];
      }),
  );

/** Undefined: nothing is chosen yet. */
export function blankOf(widget: Widget): unknown {
  switch (widget.type) {
    case 'text':
    case 'long-text':
    case 'secret':
      return '';
    case 'flag':
      return widget.isSetByDefault;
    case 'choices':
    case 'records':
    case 'map':
      return [];
    case 'list': {
      const member = widget.canBeEmpty ? undefined : blankOf(widget.member);
      return member === undefined ? [] : [member];
    }
    case 'object':
      return newDraft(widget.fields);
    case 'variant':
      return {};
    default:
      return undefined;
  }
}

/** What is typed, as the API takes it: what is no whole number is refused at its field. */
export function typedNumber(text: string): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const value = Number(trimmed);
  return /^-?\d+$/.test(trimmed) && Number.isSafeInteger(value) ? value : text;
}
