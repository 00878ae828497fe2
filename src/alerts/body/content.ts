import type { Json } from '../alert.ts';
import { isObject, storable } from '../text.ts';
import { parseJson } from './json.ts';

/** An HTTP body by what it is: tools often label it as something else. */
export type Content =
  // Repaired: it claimed to be JSON and was none until what templates break was mended.
  | { readonly json: Json; readonly repaired?: true }
  | { readonly text: string }
  | { readonly unreadable: string };

// Without spaces anything may be a field; with spaces it must begin as a field of ours, because
// command line tools call every text a form.
const FORM = /^(?:payload|title|body|dedup_key)=|^[\w.[\]-]{1,64}=\S*$/;
const OBVIOUS_FORM = /^(?:payload|title)=/;

const utf8 = new TextDecoder();

/** Reads a body as JSON, as a form, or as plain text. */
export function contentOf(bytes: Uint8Array, contentType: string): Content {
  const text = utf8.decode(bytes).trim();
  if (storable(text).replaceAll('\ufffd', '').trim() === '')
    return { unreadable: 'the body: is empty' };
  const type = contentType.toLowerCase();
  if (type.includes('multipart/')) return { unreadable: 'the body: multipart is not read' };
  if (/^[[{"]/.test(text)) return structured(text, type);
  // Without a type it may be the query of an address.
  const isForm = type === '' || type.includes('urlencoded');
  const form = isForm ? FORM : OBVIOUS_FORM;
  if (form.test(text)) return formOf(text);
  if (/[/+]json/.test(type)) return structured(text, type);
  return { text: storable(text) };
}

function structured(text: string, type: string): Content {
  const parsed = parseJson(text);
  if ('value' in parsed) return contentOfValue(parsed.value);
  // A sentence may begin with a bracket or a quote; only what claims to be JSON is held to it.
  const isClaimed = /[/+]json/.test(type) || /^\{\s*"/.test(text);
  return isClaimed ? parsed : { text: storable(text) };
}

function contentOfValue(value: Json): Content {
  if (typeof value === 'object' && value !== null) return { json: value };
  if (typeof value !== 'string') return { unreadable: 'the body: must be an object or a list' };
  // Some relays wrap the JSON of the alert in a JSON string.
  if (/^\s*[[{]/.test(value)) {
    const inner = parseJson(value);
    if ('value' in inner) return { json: inner.value };
  }
  return value.trim() === '' ? { unreadable: 'the body: is empty' } : { text: value.trim() };
}

function formOf(text: string): Content {
  const fields = Object.fromEntries(
    [...new URLSearchParams(text)].map(([name, value]) => [storable(name), storable(value)]),
  );
  const payload = fields['payload'];
  if (payload !== undefined) {
    const parsed = parseJson(payload);
    if ('value' in parsed && (isObject(parsed.value) || Array.isArray(parsed.value)))
      return { json: parsed.value };
  }
  return { json: fields };
}
