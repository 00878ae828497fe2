import { spend } from '../effort.ts';
import { isBlank } from '../text.ts';

/** What templates leave where they had nothing to fill in. */
const leftovers = [
  /^[<[(](?:no value|null|nil|none|unknown)[>\])]$/i,
  /^(?:undefined|none|nan|null|nil)$/i,
  /^\{\{[^{}]*\}\}$/,
  // Zabbix, Site24x7: {EVENT.NAME}, {$MACRO}.
  /^\{[$#]?[A-Z][\w.:#]*\}$/,
  /^\$\{[^{}]*\}$/,
  // Nagios, Datadog: $HOSTNAME$, $EVENT_TITLE.
  /^\$[A-Za-z_][\w:.]*\$?$/,
  /^%[A-Za-z_]\w*%?$/,
  // One word: in Slack's texts, several between asterisks are bold.
  /^\*[A-Za-z_]+\*$/,
  // LogicMonitor: ##HOST##, ##CUSTOMER.NAME##.
  /^##[A-Z][\w.:-]*##$/,
];

/** Those that nobody writes in a sentence; each is found in time that grows with the text alone. */
const unmistakable = [
  // Prometheus shows the whole error: it may quote brackets of its own.
  '<error expanding template[^\\r\\n]*(?:>|$)',
  '[<[(](?:no value|NO VALUE|nil|undefined|MISSING VALUE)[>\\])]',
  '%!\\w\\((?:MISSING|BADINDEX|NOVERB|<nil>|(?:string|int)=[^()]{0,50})\\)',
  '\\[object Object\\]',
  // Zabbix: {HOST.NAME}, {$MACRO}, {#LLD}, {ITEM.VALUE1}.
  '\\{(?:[$#][A-Z][\\w.:]{0,100}|[A-Z][A-Z0-9_]{0,50}(?:\\.[A-Z0-9_]{1,50}){1,5})\\}',
  // Nagios and Icinga: $HOSTNAME$, $host.name$.
  '\\$(?:[A-Z][A-Z0-9_]{2,50}(?::[^$\\s]{0,50})?|[a-z_]{1,50}(?:\\.[a-z_]{1,50}){1,5})\\$',
  '##[A-Z][A-Z0-9_.:-]{1,100}##',
  '%\\([A-Za-z_]\\w{0,50}\\)[sdif]',
].join('|');
/** Details may be about a template. */
const braces = [
  '\\{\\{[^{}]{0,200}\\}\\}|\\{%[^{}%]{0,200}%\\}|[$#%]\\{[^{}]{0,200}\\}',
  '<%[=-]?[^<>%]{0,200}%>',
].join('|');
const inLines = new RegExp(`${unmistakable}|${braces}`, 'gm');
const inDetails = new RegExp(unmistakable, 'gm');

/** The values of an absent one in JavaScript, Python, Go, Ruby and Java, as a part of a key. */
const EMPTY_PART =
  /(?:^|[/|:,;#@=])\s*(?:undefined|[Nn]one|NONE|[Nn]ull|NULL|N[aA]N|nil|[nN]\/[aA])\s*(?=$|[/|:,;#@=])/;
const EMPTY_END = /[-_. ](?:undefined|null|NULL|None|NaN|nil|[nN]\/[aA])$/;
/** What stands for a value, where only a key is read: in a sentence people may write such. */
const ofKeys = new RegExp(
  [
    // {host}, {0}, $host, $!host, %s, %device, @Model.Host, <host>, <ctx.host>, [[host]], __HOST__
    '\\{(?:[A-Za-z_][\\w.]{0,50}|\\d{1,2})\\}',
    '\\$!?\\{?[A-Za-z_][\\w.]{0,50}\\}?\\$?',
    '%(?:[sdv]|[a-z][A-Za-z_]{2,50}|[A-Z_]{3,50})%?',
    '@Model\\.[\\w.]{1,50}',
    '<[A-Za-z_][\\w. -]{0,50}>',
    '\\[\\[[^[\\]]{1,50}\\]\\]',
    '__[A-Z][A-Z0-9_]{0,50}__',
    '\\((?:null|none|nil|undefined|unset|empty|n\\/a|NULL|None|N\\/A)\\)',
    // PowerShell and .NET, Ansible.
    'System\\.(?:Object|String|Byte|Int32)(?:\\[\\])?',
    'System\\.Collections\\.(?:Hashtable|ArrayList|Generic\\.(?:List|Dictionary)`[\\w[\\].,`]{0,100})',
    'AnsibleUndefined|VARIABLE IS NOT DEFINED!?',
  ]
    .map((form) => `(?<![\\p{L}\\p{N}$%_.])(?:${form})(?![\\p{L}\\p{N}$_])`)
    .join('|'),
  'u',
);
/** Nothing but what stands between the parts of a key. */
const NO_PART = /^[\s/|:,;#@=._-]{1,10}$/;
/** Of Zabbix; in a sentence it may be a state of Nagios in bold. */
const UNKNOWN_MACRO = '*UNKNOWN*';

const LONGEST = 200;
const SEARCHED = 2_000;

/** Whether a text is blank, or nothing but the placeholder of a template. */
export function isMissing(text: string): boolean {
  if (wasMissing(text)) return true;
  return mayHave(text) && withoutLeftovers(text) === '';
}

/** As the release 0.1.0 saw it, for the keys that it made. */
export function wasMissing(text: string): boolean {
  if (isBlank(text)) return true;
  const trimmed = text.trim();
  return trimmed.length <= LONGEST && leftovers.some((form) => form.test(trimmed));
}

/** Whether a key has a part that a template left: it would be that of every problem. */
export function isUnfilled(key: string): boolean {
  if (isMissing(key)) return true;
  const text = key.slice(0, SEARCHED);
  spend(text.length);
  if ([NO_PART, EMPTY_PART, EMPTY_END, ofKeys].some((form) => form.test(text))) return true;
  return text.includes(UNKNOWN_MACRO) || hasLeftover(text);
}

/** disk-, /disk, host=,disk=, a||b: where templates fill in nothing for a value that is missing. */
const GAPS = /^[-_/|:,;=]|[-_/|:,;=]$|[\w)]=(?=[,;&|\s])|\|\||,,|;;|(?<!:)\/\//;
/** Where such a key is whole: addresses of the web and of IPv6, base64. */
const WHOLE = /:\/\/|::|^[A-Za-z0-9+/_-]{20,}={0,2}$/;

/** Whether it may have an empty part. A name may look so too, such as /var and C: do. */
export const mayHaveGap = (key: string): boolean => GAPS.test(key) && !WHOLE.test(key);

/** Whether it has one, as far as the title beside it tells: it names what the key does not. */
export function hasGap(key: string, title: string): boolean {
  if (!mayHaveGap(key)) return false;
  const [name, line] = [key.toLowerCase(), title.slice(0, SEARCHED).toLowerCase()];
  if (line.includes(name)) return false;
  const parts = new Set(wordsIn(name));
  return wordsIn(line).some((word) => !parts.has(word));
}

const wordsIn = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

export const hasLeftover = (text: string): boolean => mayHave(text) && cut(text) !== text;

/** A text for people, without what templates left in it; blank if nothing is left that says anything. */
export function withoutLeftovers(text: string): string {
  if (!mayHave(text)) return text;
  const rest = cut(text);
  if (rest === text) return text;
  const tidy = rest
    .replace(/\(\s*\)|\[\s*\]/g, '')
    .replace(/[^\S\r\n]{2,}/g, ' ')
    .replace(/^[\s:;,/|–—-]{1,100}/, '')
    .replace(/[\s:;,/|–—-]{1,100}$/, '');
  return /[\p{L}\p{N}]/u.test(tidy) ? tidy : '';
}

/** Most texts have none of the characters. */
const mayHave = (text: string): boolean => /[<{$%*]|##|\[[ou]|\([nu]|\[n/i.test(text);

function cut(text: string, what: RegExp = inLines, most: number = SEARCHED): string {
  const searched = text.slice(0, most);
  spend(searched.length);
  return searched.replace(what, '') + text.slice(most);
}

const DETAILS_SEARCHED = 50_000;

/** A text of details, without what templates left in it; undefined if it is nothing else. */
export function shownText(text: string): string | undefined {
  if (text === 'undefined') return undefined;
  if (!mayHave(text)) return text;
  if (text.length <= SEARCHED && text.trim() !== '' && withoutLeftovers(text) === '')
    return undefined;
  return cut(text, inDetails, DETAILS_SEARCHED).replace(/(\S) {2,}(?=\S)/g, '$1 ');
}
