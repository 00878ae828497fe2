// A value as people read it, such as on a record's page and beside another version of it.
import { isObject } from '../../resources/declaration/is-object.ts';
import { clockTime } from '../ui/clock-time.ts';
import { type Draft, isRows, variantOf } from './draft.ts';
import type { Choice, Field, Widget } from './form.ts';
import type { NameOf } from './picks.ts';
import { words } from './words.ts';

/** Of a draft; empty where there is nothing. */
export function textOf(widget: Widget, value: unknown, nameOf: NameOf): string {
  if (value === undefined) return '';
  switch (widget.type) {
    case 'secret':
      return value === '' ? '' : words.hidden;
    case 'flag':
      return value === true ? words.yes : words.no;
    case 'number':
      return widget.unit === undefined ? String(value) : `${value} ${widget.unit}`;
    case 'choice':
      return choiceText(widget.choices, value);
    case 'choices':
      return list(value)
        .map((one) => choiceText(widget.choices, one))
        .join(', ');
    case 'record':
      return nameOf(widget.to, String(value));
    case 'records':
      return list(value)
        .map((one) => nameOf(widget.to, String(one)))
        .join(', ');
    case 'list':
      return list(value)
        .map((one) => (one === null ? words.nobody : textOf(widget.member, one, nameOf)))
        .join('\n');
    case 'map':
      return (isRows(value) ? value : [])
        .map(([name, one]) => `${name}: ${textOf(widget.value, one, nameOf)}`)
        .join('\n');
    case 'object':
      return isObject(value) ? fieldsText(widget.fields, value, nameOf) : '';
    case 'variant': {
      if (!isObject(value)) return '';
      const variant = variantOf(widget, value);
      const inside = fieldsText(variant?.fields ?? [], value, nameOf);
      return [variant?.text ?? '', inside].filter(Boolean).join(', ');
    }
    case 'json':
      return typeof value === 'string' ? value : JSON.stringify(value);
    case 'text':
      return widget.kind === 'time' ? clockTime(String(value)) : String(value);
    case 'long-text':
      return String(value);
  }
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const choiceText = (choices: readonly Choice[], value: unknown): string =>
  choices.find((one) => one.value === value)?.text ?? String(value);

const fieldsText = (fields: readonly Field[], draft: Draft, nameOf: NameOf): string =>
  fields
    .map(({ name, label, widget }) => [label, textOf(widget, draft[name], nameOf)] as const)
    .filter(([, text]) => text !== '')
    .map(([label, text]) => (text.includes('\n') ? `${label}:\n${text}` : `${label}: ${text}`))
    .join(', ');
