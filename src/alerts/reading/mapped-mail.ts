import type { About, AlertEvent, Mail, Reading } from '../alert.ts';
import { compileForm } from './form.ts';
import type { Form, Mapping } from './notation.ts';
import type { Scope } from './path.ts';

/** What a mapping says of a mail with an alert, whose `subject`, `from` and `text` are its places. */
export function readMappedMail(
  mail: Mail,
  reading: Reading,
  { about, mapping }: { readonly about: About; readonly mapping: Mapping | undefined },
): Reading {
  const forms = mapping?.forms ?? [];
  if ('unreadable' in reading || forms.length === 0) return reading;
  const [alert] = reading.alerts;
  if (alert === undefined) return reading;
  const { subject, from, text } = mail;
  const item = { subject, from, text };
  const scope: Scope = {
    item,
    root: item,
    request: { path: '', query: '', headers: mail.headers },
  };
  const form = forms.find((one) => compileForm(one).fits(scope, 'loose'));
  if (form === undefined) return { ...reading, note: 'the mapping has no form that fits' };
  return combined(form, compileForm(form).read(scope, about), { alert, reading });
}

function combined(
  form: Form,
  mapped: ReturnType<ReturnType<typeof compileForm>['read']>,
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
