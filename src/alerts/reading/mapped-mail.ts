import type { About, AlertEvent, Mail, Reading } from '../alert.ts';
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
  if (fitting === undefined) return { ...reading, note: 'the mapping has no form that fits' };
  return combined(fitting.form, fitting.compiled.read(scope, about), { alert, reading });
}

type FormOfMail = { readonly form: Form; readonly compiled: CompiledForm };

const known = new WeakMap<Mapping, readonly FormOfMail[]>();

function compiledForms(mapping: Mapping): readonly FormOfMail[] {
  const forms =
    known.get(mapping) ?? mapping.forms.map((form) => ({ form, compiled: compileForm(form) }));
  known.set(mapping, forms);
  return forms;
}

function combined(
  form: Form,
  mapped: ReturnType<CompiledForm['read']>,
  own: { readonly alert: AlertEvent; readonly reading: Reading },
): Reading {
  if ('unreadable' in mapped) return own.reading;
  const [by] = mapped.alerts;
  if (by === undefined)
    return { alerts: [], ...(mapped.note !== undefined && { note: mapped.note }) };
  if (mapped.lacks !== undefined)
    return { alerts: [own.alert], note: `the mapping found no ${mapped.lacks}` };
  const { severity, priority, links, expires_at } = by;
  const isTitled =
    form.title !== undefined || form.name !== undefined || form.message !== undefined;
  return {
    alerts: [
      {
        ...own.alert,
        ...(isTitled && { title: by.title }),
        ...((form.key !== undefined || form.name !== undefined) && { dedup_key: by.dedup_key }),
        ...(form.state !== undefined && { action: by.action }),
        ...(severity !== undefined && { severity }),
        ...(priority !== undefined && { priority }),
        ...(links !== undefined && { links }),
        ...(expires_at !== undefined && { expires_at }),
      },
    ],
  };
}
