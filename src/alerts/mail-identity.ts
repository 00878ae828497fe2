// What a tool's mail names in its text alone: subjects have what people call a host, which several
// hosts may be called, and not the disk that fails.
import { eventsLimits } from '../limits/events.ts';
import type { Mail } from './alert.ts';

/** Names of the lines, in the mails that Nagios and Icinga 2 come with. */
const NAGIOS = ['Address'] as const;
const ICINGA = ['Host', 'Service', 'IPv4', 'IPv6'] as const;

/** What tells hosts of one name apart; it is the same in the mail of the recovery. */
export function hostsIn(tool: 'nagios' | 'icinga', text: string): readonly string[] {
  const names = tool === 'nagios' ? NAGIOS : ICINGA;
  return names.flatMap((name) => lineOf(text, name) ?? []);
}

type DiskMail = { readonly action: 'trigger'; readonly key: string; readonly former: string };

/** Of smartd and mdadm: a host has several disks, and none of these mails says that one is well again. */
export function diskMail({ subject, text }: Mail): DiskMail | undefined {
  const [, error, host] = SMARTD.exec(subject) ?? [];
  if (error !== undefined && host !== undefined) {
    const device = lineOf(text, 'Device')?.split(/[\s,]/, 1)[0] ?? '';
    return { action: 'trigger', former: subject, key: `${error} of ${device} on ${host}` };
  }
  const [, event, array, node] = MDADM.exec(subject) ?? [];
  if (event === undefined || array === undefined || node === undefined) return undefined;
  const [, component] = /\bcomponent device (\/dev\/[^\s.]{1,100})/.exec(start(text)) ?? [];
  return {
    action: 'trigger',
    former: subject,
    key: `${event} of ${component ?? array} in ${array} on ${node}`,
  };
}

const SMARTD = /^SMART error \((\w{1,50})\) detected on host: (\S{1,255})$/;
const MDADM = /^(\w{1,50}) event on (\/dev\/[^\s:]{1,100}):(\S{1,255})$/;

const start = (text: string): string => text.slice(0, eventsLimits.mailTextLength);

/** What stands behind a name on a line of its own. */
function lineOf(text: string, name: string): string | undefined {
  const match = new RegExp(`^[ \\t]*${name}:[ \\t]*(\\S[^\\r\\n]{0,254})`, 'm').exec(start(text));
  return match?.[1]?.trim();
}
