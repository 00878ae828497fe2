import type { About, Json, Reading } from '../alert.ts';
import { asText } from '../body/json.ts';
import { deliver } from '../delivery-script.ts';
import { unmeasured } from '../reading/measured.ts';
import type { Tool } from '../reading/notation.ts';
import { pathOf, type Scope, valueAt } from '../reading/path.ts';
import { wordAt } from '../reading/rules.ts';
import { isObject, keyOf, oneLine, titleOf } from '../text.ts';

export const snmptrap = {
  slug: 'snmptrap',
  name: 'SNMP traps',
  description: 'Sends SNMP traps and informs from snmptrapd, such as link down and up.',
  problem:
    'each object of a host in the traps, and for traps that no other trap ends also each content',
  forms: [
    { when: ['varbinds', 'transport | host'], read: readJson },
    { when: ['text~(?m)^(UDP|TCP|DTLS|TLS)[\\w/]*: ?\\['], read: readText },
  ],
  guide: {
    steps: [
      'Save the script below as /usr/local/bin/pager-trap, mode 755, on the host of snmptrapd. It posts every trap to {url} in the background. While Pager restarts, it retries for ten minutes. Lost traps are in the system log.',
      'Add the lines below to snmptrapd.conf, with your own community, and restart snmptrapd. The last line gives traps the same format whatever MIBs are installed.',
    ],
    notes: [
      'Traps with an opposite (link, BGP peer, UPS alarm, or a name with Down and Up, Raised and Cleared) resolve. For all others, set auto_resolve on the integration, or resolve_when_quiet if the device repeats a trap while its cause lasts.',
    ],
    snippets: [
      {
        file: 'pager-trap',
        text: `#!/bin/sh
# Passes a trap on, without its community string. Those of one host are sent in order.
url='{url}'
body=$(grep -v -e '^\\(\\.1\\|iso\\)\\.3\\.6\\.1\\.6\\.3\\.18\\.1\\.4' -e snmpTrapCommunity)
${deliver}
deliver "$(printf '%s' "$body" | head -n 1)" -H 'content-type: text/plain' --data-binary @-`,
      },
      {
        file: 'snmptrapd.conf',
        text: `authCommunity log,execute public
traphandle default /usr/local/bin/pager-trap
[snmp] printNumericOids yes`,
      },
    ],
  },
} satisfies Tool;

type Varbind = { readonly oid: string; readonly value: string };
type Trap = {
  readonly host: string;
  readonly transport: string;
  readonly varbinds: readonly Varbind[];
};

const MOST_VARBINDS = 200;

const places = { host: pathOf('host'), transport: pathOf('transport') };
const varbindsPlace = pathOf('varbinds');

function readJson(scope: Scope, about: About): Reading {
  const value = valueAt(varbindsPlace, scope, 'loose') ?? '';
  const listed = Array.isArray(value) ? value : [value];
  const lines = listed.slice(0, MOST_VARBINDS).map((line: Json) => asText(line) ?? '');
  const trap = {
    host: wordAt(places.host, scope) ?? '',
    transport: wordAt(places.transport, scope) ?? '',
    varbinds: lines.flatMap(varbindOf),
  };
  return readTrap(trap, about);
}

/** The lines that snmptrapd gives to a traphandle: host, transport, then one a varbind. */
function readText({ item }: Scope, about: About): Reading {
  const text = isObject(item) ? (asText(item['text']) ?? '') : '';
  const lines = text.split(/\r?\n/, MOST_VARBINDS + 2).map((line) => line.trim());
  const at = lines.findIndex((line) => /^(?:UDP|TCP|DTLS|TLS)/.test(line));
  return readTrap(
    {
      host: lines[at - 1] ?? '',
      transport: lines[at] ?? '',
      varbinds: lines.slice(at + 1).flatMap(varbindOf),
    },
    about,
  );
}

function varbindOf(line: string): readonly Varbind[] {
  const [shown = '', ...rest] = line.trim().split(/\s+/);
  const oid = numbersOf(shown);
  if (oid === '' || /^\.?1\.3\.6\.1\.6\.3\.18\.1\.4\b|snmpTrapCommunity/.test(oid)) return [];
  const value = rest.join(' ').replace(/^"(.*)"$/, '$1');
  return [{ oid, value: numbersOf(value) }];
}

/** Without MIBs the first number alone has a name. */
const numbersOf = (shown: string): string => shown.replace(/^iso(?=(?:\.\d+)+$)/, '.1');

const isTrapOid = ({ oid }: Varbind) =>
  oid === '.1.3.6.1.6.3.1.1.4.1.0' || oid.endsWith('snmpTrapOID.0');
const isHeader = ({ oid }: Varbind) =>
  /^\.1\.3\.6\.1\.(?:2\.1\.1\.3\.0|6\.3\.1\.1\.4\.|6\.3\.18\.1\.)|sysUpTime|snmpTrap/.test(oid);
const isIndex = ({ oid }: Varbind) => /^\.1\.3\.6\.1\.2\.1\.2\.2\.1\.1\.\d|\bifIndex\.\d/.test(oid);
const isInterface = ({ oid }: Varbind) =>
  /^\.1\.3\.6\.1\.2\.1\.(?:2\.2\.1\.2|31\.1\.1\.1\.1)\.\d|\bif(?:Descr|Name)\.\d/.test(oid);

/** What a trap says: `subject` is the same in the trap that ends it. */
type Meaning = {
  readonly name: string;
  readonly subject: string;
  readonly action: 'trigger' | 'resolve';
  /** Whether another trap ends it, or it ends another. */
  readonly isPaired: boolean;
};

type Listed = Omit<Meaning, 'isPaired'>;

const known: Readonly<Record<string, Listed>> = {
  '.1.3.6.1.6.3.1.1.5.1': { name: 'coldStart', subject: 'start', action: 'trigger' },
  '.1.3.6.1.6.3.1.1.5.2': { name: 'warmStart', subject: 'start', action: 'trigger' },
  '.1.3.6.1.6.3.1.1.5.3': { name: 'linkDown', subject: 'link', action: 'trigger' },
  '.1.3.6.1.6.3.1.1.5.4': { name: 'linkUp', subject: 'link', action: 'resolve' },
  '.1.3.6.1.6.3.1.1.5.5': { name: 'authenticationFailure', subject: 'login', action: 'trigger' },
  ...bgp('.1.3.6.1.2.1.15.7'),
  ...bgp('.1.3.6.1.2.1.15.0'),
  '.1.3.6.1.2.1.33.2.1': { name: 'upsOnBattery', subject: 'upsOnBattery', action: 'trigger' },
  '.1.3.6.1.2.1.33.2.3': { name: 'upsAlarmAdded', subject: 'upsAlarm', action: 'trigger' },
  '.1.3.6.1.2.1.33.2.4': { name: 'upsAlarmRemoved', subject: 'upsAlarm', action: 'resolve' },
};

function bgp(under: string): Record<string, Listed> {
  return {
    [`${under}.1`]: { name: 'bgpEstablished', subject: 'bgp', action: 'resolve' },
    [`${under}.2`]: { name: 'bgpBackwardTransition', subject: 'bgp', action: 'trigger' },
  };
}

// Not "Removed": a fan that was removed is a problem.
const ENDS = /(?:Up|Cleared?|Normal|Restored|Resolved|Recovered|AlarmEntryRemoved|Established)$/;
const BEGINS =
  /(?:Down|Raised?|Failed|Failure|Fault|Lost|AlarmEntryAdded|BackwardTrans(?:ition)?)$/;

/** Of a trap that is shown by its number and not listed, only that it came is known. */
function meaningOf(trap: string): Meaning {
  const listed = known[trap];
  if (listed !== undefined) return { ...listed, isPaired: true };
  const shown = trap.split('::').at(-1) ?? trap;
  const name = shown.replace(/(?:Notification|Notif|Trap)$/, '');
  const stem = name.replace(ENDS, '').replace(BEGINS, '');
  const subject = stem === '' ? name : stem;
  const isPaired = subject !== name;
  return { name, subject, action: ENDS.test(name) ? 'resolve' : 'trigger', isPaired };
}

function readTrap(trap: Trap, about: About): Reading {
  const named = trap.varbinds.find(isTrapOid)?.value ?? '';
  const meaning = meaningOf(named);
  const address = addressOf(trap);
  const label = trap.varbinds.find(isInterface)?.value;
  const host = trap.host === '<UNKNOWN>' ? '' : trap.host;
  const origin = `from ${host || address || oneLine(about.integrationName)}`;
  const title = oneLine(`${meaning.name || 'SNMP trap'} ${label ?? ''} ${origin}`);
  const former = [address, ...identityOf(trap, meaning)].filter((part) => part !== '');
  const identity = [...former, ...wordsOf(trap, meaning)];
  const [dedup_key, former_key] = [identity, former].map((parts) =>
    keyOf(parts.join(' | ') || title),
  ) as [string, string];
  return {
    alerts: [
      {
        action: meaning.action,
        dedup_key,
        ...(former_key !== dedup_key && { former_key }),
        title: titleOf(title),
        details: {
          host: trap.host,
          transport: trap.transport,
          trap: named,
          varbinds: trap.varbinds.map(({ oid, value }) => `${oid} ${value}`),
        },
      },
    ],
  };
}

/** The agent that a proxy named, else where the packet came from, without its port. */
function addressOf({ transport, varbinds, host }: Trap): string {
  const agent = varbinds.find(
    ({ oid }) => oid === '.1.3.6.1.6.3.18.1.3.0' || oid.endsWith('snmpTrapAddress.0'),
  )?.value;
  if (agent !== undefined && agent !== '' && agent !== '0.0.0.0') return agent;
  return /\[([^\]]{1,100})\]/.exec(transport)?.[1] ?? host;
}

/**
 * An interface by its index, whatever the trap. Else the subject, and the first object that the
 * trap is about: its place, since values differ between traps of one problem.
 */
function identityOf({ varbinds }: Trap, { subject, name }: Meaning): readonly string[] {
  const index = varbinds.find(isIndex);
  if (index !== undefined && (subject === 'link' || name.startsWith('link')))
    return [`${index.oid}=${index.value}`];
  const [object] = varbinds.filter((one) => !isHeader(one));
  return [subject, object?.oid ?? ''];
}

/** Of a trap that no other ends, what it says of a thing that has one place for all: which fan, which disk. */
function wordsOf({ varbinds }: Trap, { isPaired }: Meaning): readonly string[] {
  const [object] = varbinds.filter((one) => !isHeader(one));
  if (isPaired || object === undefined || !object.oid.endsWith('.0')) return [];
  const words = unmeasured(object.value);
  return /^[-+\d\s.]*$/.test(words) ? [] : [words];
}
