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

const LONGEST = 200;

/** Whether a text is blank, or nothing but the placeholder of a template. */
export function isAbsent(text: string): boolean {
  if (isBlank(text)) return true;
  const trimmed = text.trim();
  return trimmed.length <= LONGEST && leftovers.some((form) => form.test(trimmed));
}
