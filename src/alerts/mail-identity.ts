// What a tool's mail names in its text alone: subjects have what people call a host, which several
// hosts may be called, and not the disk that fails.
import type { Mail } from './alert.ts';
import { linesOf, namedIn, startOf } from './mail-lines.ts';

/** Names of the lines, in the mails that Nagios and Icinga 2 come with. */
const NAGIOS = ['Address'] as const;
const ICINGA = ['Host', 'Service', 'IPv4', 'IPv6'] as const;

/** What tells hosts of one name apart; it is the same in the mail of the recovery. */
export function hostsIn(tool: 'nagios' | 'icinga', text: string): readonly string[] {
  const names = tool === 'nagios' ? NAGIOS : ICINGA;
  const lines = linesOf(text);
  return names.flatMap((name) => namedIn(lines, name) ?? []);
}

type DiskMail = { readonly action: 'trigger'; readonly key: string; readonly former: string };

/** Of smartd and mdadm: a host has several disks, and none of these mails says that one is well again. */
export function diskMail({ subject, text }: Mail): DiskMail | undefined {
  const [, error, host] = SMARTD.exec(subject) ?? [];
  if (error !== undefined && host !== undefined)
    return { action: 'trigger', former: subject, key: `${error} of ${deviceIn(text)} on ${host}` };
  const [, event, array, node] = MDADM.exec(subject) ?? [];
  if (event === undefined || array === undefined || node === undefined) return undefined;
  const [, component] = /\bcomponent device (\/dev\/[^\s.]{1,100})/.exec(startOf(text)) ?? [];
  return {
    action: 'trigger',
    former: subject,
    key: `${event} of ${component ?? array} in ${array} on ${node}`,
  };
}

const SMARTD = /^SMART error \((\w{1,50})\) detected on host: (\S{1,255})$/;
const MDADM = /^(\w{1,50}) event on (\/dev\/[^\s:]{1,100}):(\S{1,255})$/;

/**
 * /dev/bus/0 [megaraid_disk_10] [SAT], FAILED: of the disks behind one controller only the bracket
 * tells which. [SAT] and [SCSI] say how it is connected.
 */
function deviceIn(text: string): string {
  const line = namedIn(linesOf(text), 'Device') ?? '';
  const [, device = '', brackets = ''] = DEVICE.exec(line) ?? [];
  const parts = [device, ...(brackets.match(/\[[^[\]]+\]/g) ?? [])];
  return parts.filter((part) => !/^\[(?:SAT|SCSI|ATA)\]$/i.test(part)).join(' ');
}

const DEVICE = /^([^\s,]{1,255})((?:\s?\[[^[\]]{1,60}\]){0,5})/;
