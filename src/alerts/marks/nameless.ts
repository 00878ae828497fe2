// Lines that name no problem: Service Alert, Critical alert, TrueNAS: Alerts.
import { senseOf } from '../senses.ts';

/** Of what is called so a team has many, or a notification is about any of them. */
const ANYTHING = new Set(
  `host hosts service services server servers site website monitor monitors monitoring uptime check
   checks device devices node nodes system systems network message messages mail email report from`
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
  if (words.every(isAnything) && words.some(isNoun)) return true;
  // TrueNAS: Alerts; of which the noun is a mark.
  const isOfSender = words.every((word) => SENDERS.has(word));
  return isOfSender && wordsIn(bare).some((word) => senseOf(word) === 'noun');
}
