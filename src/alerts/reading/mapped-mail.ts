import type { About, Mail, Reading } from '../alert.ts';
import { applyMapping } from './apply-mapping.ts';
import { type CompiledForm, compileForm } from './form.ts';
import type { Form, Mapping } from './notation.ts';
import type { Scope } from './path.ts';

/** What a mapping says of a mail with an alert, whose `subject`, `from` and `text` are its places. */
export function readMappedMail(
  mail: Mail,
  reading: Reading,
  { about, mapping }: { readonly about: About; readonly mapping: Mapping },
): Reading {
  if ('unreadable' in reading) return reading;
  const [alert] = reading.alerts;
  if (alert === undefined) return reading;
  const { subject, from, text } = mail;
  const item = { subject, from, text };
  const scope: Scope = {
    item,
    root: item,
    request: { path: '', query: '', headers: mail.headers },
  };
  const fitting = compiledForms(mapping).find(({ compiled }) => compiled.fits(scope, 'loose'));
  if (fitting === undefined) return { ...reading, note: 'no form of the mapping matches' };
  const items = fitting.compiled.items(scope, about);
  if ('unreadable' in items) return reading;
  // A mail has one alert.
  const by = 'items' in items ? { items: items.items.slice(0, 1) } : items;
  const mapped = applyMapping(reading, by, fitting.form);
  if ('unreadable' in mapped || mapped.lacks === undefined) return mapped;
  return { alerts: [alert], note: `the mapping found no ${mapped.lacks}` };
}

type FormOfMail = { readonly form: Form; readonly compiled: CompiledForm };

const known = new WeakMap<Mapping, readonly FormOfMail[]>();

function compiledForms(mapping: Mapping): readonly FormOfMail[] {
  const forms =
    known.get(mapping) ?? mapping.forms.map((form) => ({ form, compiled: compileForm(form) }));
  known.set(mapping, forms);
  return forms;
}
