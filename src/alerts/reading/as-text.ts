// An event as one alert with its text: the reading that is always cheap, whatever was sent.
import type { About, AlertRequest, Reading } from '../alert.ts';
import { decoded } from '../body/charset.ts';
import { shortHash } from '../hash.ts';
import { nameOf, oneLine, storable, titleOf } from '../text.ts';
import { firstLine } from './path.ts';

/** Of a body, from its start. Its key is made of them, of its last ones, and of its length. */
const BYTES = 16 * 1024;
const LAST_BYTES = 1024;

/** It opens an incident, unless the same text has one. `why`: for the log of events. */
export function readAsText(request: AlertRequest, about: About, why: string): Reading {
  const { heading, text, rest } = partsOf(request);
  const line = oneLine(heading) || nameOf(about);
  const alert = {
    action: 'trigger',
    dedup_key: shortHash(`${rest} ${text}`),
    title: titleOf(line),
    details: text,
  } as const;
  return { alerts: [alert], note: `the event is one alert with its text: ${why}` };
}

function partsOf(request: AlertRequest) {
  if (request.source === 'mail') {
    const { subject, text } = request;
    return { heading: subject, text: storable(text.slice(0, BYTES)), rest: restOf(text) };
  }
  const { body, contentType } = request;
  const start = body.subarray(0, BYTES);
  const text = storable(decoded(start, contentType)).trim();
  // What is no text for people has no line that says something.
  const heading = /^[[{<"]/.test(text) ? '' : (firstLine(text) ?? '');
  return { heading, text, rest: restOf(body) };
}

const restOf = (of: string | Uint8Array): string => `${of.length} ${of.slice(-LAST_BYTES)}`;
