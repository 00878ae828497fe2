// The addresses in a message that is made to be shown, wherever they stand, with what they are called.
import { eventsLimits } from '../../limits/events.ts';
import type { Json, JsonObject } from '../alert.ts';
import { spend } from '../effort.ts';
import { isObject } from '../text.ts';

const MEMBER_WORK = 10;
/** Pictures of whoever writes, and addresses that answer, lead nowhere. */
const ADDRESS = /^(?:url|href|src|link|image_url|title_link|author_link|thumb_url|alert_url)$/;
const TEXTS = ['text', 'title', 'alt_text', 'alt', 'label', 'fallback'];
/** Of VictorOps: an address, or an image. */
const ANNOTATION = /^vo_annotate\.[ui]\.(.{1,100})$/;
const WRITTEN = /<(https?:\/\/[^|>\s]{1,2000})(?:\|([^>]{0,200}))?>/g;

export function listedLinks(value: Json): Json | undefined {
  const links: JsonObject[] = [];
  collect(value, links);
  return links.length === 0 ? undefined : links;
}

function collect(value: Json, links: JsonObject[]): void {
  if (links.length >= eventsLimits.links) return;
  spend(MEMBER_WORK);
  if (typeof value === 'string') {
    spend(value.length);
    for (const [, href = '', text = ''] of value.matchAll(WRITTEN))
      links.push({ href, ...(text !== '' && { text }) });
  } else if (Array.isArray(value)) for (const one of value) collect(one, links);
  else if (isObject(value))
    for (const [name, member] of Object.entries(value)) {
      const text = ADDRESS.test(name) ? textIn(value) : ANNOTATION.exec(name)?.[1];
      const isLink = ADDRESS.test(name) || text !== undefined;
      if (isLink && typeof member === 'string')
        links.push({ href: member, ...(text !== undefined && { text }) });
      else collect(member, links);
    }
}

/** A button's text is an object of its own. */
function textIn(of: JsonObject): string | undefined {
  for (const name of TEXTS) {
    const value = of[name];
    const text = isObject(value) ? value['text'] : value;
    if (typeof text === 'string' && text !== '') return text;
  }
  return undefined;
}
