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
  key === '' ? [] : [...new Set([key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)])];
