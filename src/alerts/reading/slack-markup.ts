// What people see of a line that is written for Slack.
import { markOf } from '../marks/meaning.ts';

const MENTIONS = /^(?:\s*(?:<[!@#][^<>]{1,100}>|@(?:here|channel|everyone)\b)[\s,:]{0,3}){1,5}/;
/** *FIRING* web, `OK` web: what is set apart in front is a mark, if it says a state. */
const SET_APART = /^([*`_]{1,3})([^*`_]{1,40})\1(?=\s)/;

/** `<!here> *FIRING* <https://a.test|db-1> is *down*` as `[FIRING] db-1 is down`. */
export function plainOfSlack(text: string): string {
  const line = text.replace(MENTIONS, '');
  const [whole = '', , content = ''] = SET_APART.exec(line) ?? [];
  const state = content.trim().replace(/[:：]$/, '');
  const isMark = whole !== '' && markOf(state, 'bracket') !== undefined;
  const front = isMark ? `[${state}]` : '';
  return front + withoutMarkup(line.slice(isMark ? whole.length : 0));
}

const withoutMarkup = (text: string): string =>
  text
    .replace(/<[^<>|]+\|([^<>]*)>/g, '$1')
    .replace(/<([^<>\s]+)>/g, '$1')
    .replace(/[*`]/g, '');
