// Lines that name no problem: Service Alert, Critical alert, TrueNAS: Alerts.
import { senseOf } from '../senses.ts';

/** What a team has many of, and what is said of any alert. */
const ANYTHING = new Set(
  `host hosts service services server servers site website monitor monitors monitoring uptime check
   checks device devices node nodes system systems network message messages mail email report from
   you there has have been is was triggered fired firing activated raised detected occurred generated
   received neue neuer neues nouvelle nouveau nueva nuevo nova novo nuova nuovo nieuwe`
    .trim()
    .split(/\s+/),
);

/** What sends mails about all that it watches. */
const SENDERS = new Set(
  `truenas freenas idrac ilo openmanage eaton apc powerchute synology diskstation qnap unraid proxmox
   vmware vcenter esxi veeam sophos fortigate pfsense opnsense unifi mikrotik nagios icinga zabbix prtg
   checkmk grafana cacti librenms observium munin netdata`
    .trim()
    .split(/\s+/),
);

const wordsIn = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const isNoun = (word: string): boolean =>
  ['noun', 'grade', 'rank', 'opening'].includes(senseOf(word) ?? '');
const isAnything = (word: string): boolean =>
  isNoun(word) || ANYTHING.has(word) || SENDERS.has(word) || senseOf(word) === 'filler';

/** Whether it is the same for every problem of its sender; `stem`: without its marks of state. */
export function isNameless({ bare, stem }: { bare: string; stem: string }): boolean {
  const words = wordsIn(stem);
  if (!words.every(isAnything)) return false;
  // TrueNAS: Alerts; of which the noun is a mark.
  return words.some(isNoun) || wordsIn(bare).some((word) => senseOf(word) === 'noun');
}
