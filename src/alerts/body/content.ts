import type { Json } from '../alert.ts';
import { spend } from '../effort.ts';
import { storable } from '../text.ts';
import { decoded } from './charset.ts';
import { type Fields, formFields, isMultipart, multipartFields } from './form.ts';
import { parseJson } from './json.ts';
import { repair } from './repair.ts';
import { parseXml } from './xml.ts';

/** Of a body that was mended, for the log of events. */
export const repairedNote =
  'the body was invalid JSON and was repaired: correct the template in the tool';

/** An HTTP body by what it is: tools often label it as something else. */
export type Content =
  // Repaired: it claimed to be JSON, and was not valid. `xml` is the text that it was read from.
  | { readonly json: Json; readonly repaired?: true; readonly xml?: string }
  | { readonly text: string }
  | { readonly unreadable: string };

// Without spaces anything may be a field; with spaces it must begin as a field of ours, because
// command line tools call every text a form.
const FORM = /^(?:payload|title|body|dedup_key)=|^[\w.[\]-]{1,64}=\S*$/;
const OBVIOUS_FORM = /^(?:payload|title)=/;
const JSON_FIELD = /^(?:payload|data)=(?:[+\s]|%20)*(?:[[{]|%[57][Bb])/;
/** JSON that holds something. */
const EVENT = /^\s*(?:\{\s*"|\[\s*[{"])/;
/** Fields that hold the whole event as JSON, whatever stands beside them. */
const WHOLE = ['payload', 'payload_json'];
const WRAPPINGS = 3;
const BODY_WORK = 100;

type Parsed = { readonly value: Json; readonly repaired?: true };
type Parsing = {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly content: Content;
};

/** Of the last body: several ask for its content, one right after another. */
let last: Parsing | undefined;

/** Reads a body as JSON, as a form, as XML, or as plain text. */
export function contentOf(bytes: Uint8Array, contentType: string): Content {
  if (last?.bytes === bytes && last.contentType === contentType) return last.content;
  last = undefined;
  const content = parsedFrom(bytes, contentType);
  last = { bytes, contentType, content };
  return content;
}

function parsedFrom(bytes: Uint8Array, contentType: string): Content {
  spend(BODY_WORK + bytes.length);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    return { unreadable: 'the body: is compressed by gzip, and cannot be decompressed' };
  const text = decoded(bytes, contentType).trim();
  if (storable(text).replaceAll('\ufffd', '').trim() === '')
    return { unreadable: 'the body: is empty' };
  if (isMultipart(text, contentType)) return contentOfParts(text);
  const type = contentType.toLowerCase();
  if (/^[[{"]/.test(text)) return structured(text, type);
  // Without a type it may be the query of an address.
  const isJson = /[/+]json/.test(type);
  const isForm = isJson || type === '' || type.includes('urlencoded');
  const isFields = (isForm ? FORM : OBVIOUS_FORM).test(text);
  if (isFields || JSON_FIELD.test(text)) {
    const fields = formFields(text);
    const event = eventIn(fields, text, type);
    if (event !== null) return event;
    if (isFields) return { json: fields };
  }
  const xml = contentOfXml(text, type);
  if (xml !== null) return xml;
  return isJson ? structured(text, type) : { text: storable(text) };
}

function structured(text: string, type: string): Content {
  // A sentence may begin with a bracket or a quote; only what claims to be JSON is held to it.
  const isClaimed = /[/+]json/.test(type) || claimsJson(text);
  const parsed = isClaimed ? parseRepaired(text) : parseJson(text);
  if ('unreadable' in parsed) return isClaimed ? parsed : { text: storable(text) };
  const { value } = parsed;
  const content = contentOfValue(parsed);
  if (content !== null) return content;
  if (typeof value !== 'string') return { unreadable: 'the body: must be an object or a list' };
  return value.trim() === '' ? { unreadable: 'the body: is empty' } : { text: value.trim() };
}

const claimsJson = (text: string): boolean => /^\s*\{\s*"/.test(text);

/** As valid JSON, else once more as what it is when repaired. */
function parseRepaired(text: string): Parsed | { readonly unreadable: string } {
  const parsed = parseJson(text);
  if ('value' in parsed || !/^\s*[[{"]/.test(text)) return parsed;
  const again = parseJson(repair(text));
  return 'value' in again ? { ...again, repaired: true } : parsed;
}

/** The object or list that a value is. Some relays wrap it in a JSON string, and again. */
function contentOfValue({ value, repaired }: Parsed): Content | null {
  let json = value;
  for (let count = 0; count < WRAPPINGS && typeof json === 'string'; count += 1) {
    const inner = /^\s*[[{"]/.test(json) ? parseJson(json) : null;
    if (inner === null || 'unreadable' in inner) return null;
    json = inner.value;
  }
  if (typeof json !== 'object' || json === null) return null;
  return { json, ...(repaired && { repaired }) };
}

/** The event that a field of a form holds as JSON. */
function eventIn(fields: Fields, text: string, type: string): Content | null {
  const wrapped = wrappedIn(fields);
  // As it is when its sender did not encode it. Where both are valid, the label decides.
  const rest = JSON_FIELD.test(text) ? text.slice(text.indexOf('=') + 1) : '';
  const bare = EVENT.test(rest) ? rest : undefined;
  return contentOfFirst(type.includes('urlencoded') ? [wrapped, bare] : [bare, wrapped]);
}

function contentOfParts(text: string): Content {
  const fields = multipartFields(text);
  if (Object.keys(fields).length === 0) return { unreadable: 'the body: contains no fields' };
  return contentOfFirst([wrappedIn(fields)]) ?? { json: fields };
}

/** What may be the whole event as JSON, in a form. */
function wrappedIn(fields: Fields): string | undefined {
  const whole = WHOLE.find((name) => Object.hasOwn(fields, name));
  if (whole !== undefined) return fields[whole];
  const data = fields['data'];
  return data !== undefined && Object.keys(fields).length === 1 && EVENT.test(data)
    ? data
    : undefined;
}

function contentOfFirst(texts: readonly (string | undefined)[]): Content | null {
  const written = texts.filter((text) => text !== undefined);
  return firstOf(written, parseJson) ?? firstOf(written.filter(claimsJson), parseRepaired);
}

function firstOf(
  texts: readonly string[],
  parse: (text: string) => Parsed | { readonly unreadable: string },
): Content | null {
  for (const text of texts) {
    const parsed = parse(text);
    const content = 'value' in parsed ? contentOfValue(parsed) : null;
    if (content !== null) return content;
  }
  return null;
}

function contentOfXml(text: string, type: string): Content | null {
  if (!/^<\?xml\s/.test(text) && !/[/+]xml/.test(type)) return null;
  const xml = storable(text);
  const json = parseXml(xml);
  return json === null ? null : { json, xml };
}
