// What a mapping says of alerts that were read without it: by code, or of a mail.
import type { AlertEvent, Reading } from '../alert.ts';
import { keyOf } from '../text.ts';
import { type FormReading, type Items, noteOf } from './form.ts';
import { noted } from './list.ts';
import type { Form } from './notation.ts';

type Read = Exclude<Reading, { readonly unreadable: string }>;
type Item = Extract<Items, { readonly items: unknown }>['items'][number];

/**
 * `by`: the same alerts in the same order, as the form reads them. Whatever the form does not say,
 * or does not find, stays.
 */
export function applyMapping(read: Read, by: Items, form: Form): FormReading {
  if (!('items' in by)) return by;
  const { items } = by;
  if (items.length !== read.alerts.length) {
    const note = `the mapping was not used because it reads ${items.length} alerts instead of ${read.alerts.length}`;
    return { ...read, note };
  }
  const lacking = items.flatMap(({ lacks }) => (lacks === undefined ? [] : [lacks]));
  const [lacks] = lacking;
  if (lacks !== undefined && lacking.length === items.length) return { ...read, lacks };
  const alerts = read.alerts.flatMap((alert, index) => {
    const item = items[index];
    return item === undefined ? [alert] : alertBy(item, alert, form);
  });
  const nothing = items.find((item) => 'nothing' in item);
  const { note } = read;
  const reading = { alerts, ...(note !== undefined && { note }) };
  return noted(reading, alerts.length === 0 ? nothing?.nothing : noteOf(lacks));
}

function alertBy(item: Item, alert: AlertEvent, form: Form): readonly AlertEvent[] {
  if ('nothing' in item) return form.state === undefined ? [alert] : [];
  if (item.lacks !== undefined) return [alert];
  const { alert: by, mapped } = item;
  const { expires_at: expiry, in_doubt: doubt, unwatched, sourceTime, direct, ...rest } = alert;
  const { former_key: former, raw_key: raw, is_marked: isMarked, ...others } = rest;
  const isStated = form.state !== undefined || mapped.end;
  const action = isStated ? by.action : alert.action;
  const ends = form.until === undefined ? expiry : (by.expires_at ?? expiry);
  // Those of the type may lack what the form takes for something else.
  const isDetailed = by.details !== undefined && (mapped.title || form.omit !== undefined);
  return [
    {
      ...others,
      action,
      ...statedBy(
        isStated ? by : { in_doubt: doubt, unwatched },
        mapped.key ? by.dedup_key : undefined,
      ),
      ...formerly(mapped.key ? by.former_key : former),
      ...(mapped.key && { dedup_key: by.dedup_key }),
      ...(raw !== undefined && !mapped.key && { raw_key: raw }),
      ...((isStated ? by.is_marked : isMarked) && { is_marked: true }),
      ...(mapped.title && { title: by.title }),
      ...(isDetailed && { details: by.details }),
      ...(isThere(form.severity, by.severity) && { severity: by.severity }),
      ...(isThere(form.priority, by.priority) && { priority: by.priority }),
      ...(isThere(form.links, by.links) && { links: by.links }),
      // Of another action it is another instant.
      ...(direct !== undefined && action === alert.action && { direct }),
      ...(sourceTime !== undefined && action === alert.action && { sourceTime }),
      ...(action === 'trigger' && ends !== undefined && { expires_at: ends }),
    },
  ];
}

const formerly = (key: string | undefined): Pick<AlertEvent, 'former_key'> =>
  key === undefined ? {} : { former_key: key };

type Stated = {
  readonly in_doubt?: AlertEvent['in_doubt'] | undefined;
  readonly unwatched?: string | undefined;
};

/** What the sign of an end depends on; `key`: of the mapping, which is no text with marks. */
function statedBy(
  { in_doubt: doubt, unwatched }: Stated,
  key: string | undefined,
): Pick<AlertEvent, keyof Stated> {
  const own = key === undefined ? {} : { keys: [], trigger_key: keyOf(`${key} | ${doubt?.line}`) };
  return {
    ...(doubt !== undefined && { in_doubt: { ...doubt, ...own } }),
    ...(unwatched !== undefined && { unwatched }),
  };
}

const isThere = <Value>(written: unknown, value: Value | undefined): value is Value =>
  written !== undefined && value !== undefined;
