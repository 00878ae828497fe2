// What is stored of a request that brings an event: its address and its body without the key.
import type { FastifyRequest } from 'fastify';

export function queryOf({ url }: FastifyRequest): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

export const bounded = (text: string, lengthMax: number): string =>
  text.slice(0, lengthMax).replaceAll('\0', '').toWellFormed();

/** Whoever reads the log of events is not to learn where to send more. The length stays. */
export const masked = (text: string, key: string): string =>
  formsOf(key).reduce((all, form) => all.replaceAll(form, '*'.repeat(form.length)), text);

/** Its bytes stay as they came but for that; most bodies are not copied. */
export const maskedBytes = (body: Buffer, key: string): Buffer =>
  formsOf(key).some((form) => body.includes(form))
    ? Buffer.from(masked(body.toString('latin1'), Buffer.from(key).toString('latin1')), 'latin1')
    : body;

/** As it is, in a query, and in JSON. */
const formsOf = (key: string): readonly string[] =>
  key === '' ? [] : [...new Set([key, encodeURIComponent(key), ...jsonFormsOf(key)])];

/** In a string of JSON: as most write it, as Rails does, as Python does, and as PHP does. */
export function jsonFormsOf(text: string): readonly string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replace(/[\u007f-\uffff]/g, escaped);
  return [json, json.replace(/[&<>]/g, escaped), ascii, ascii.replaceAll('/', '\\/')];
}

const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
