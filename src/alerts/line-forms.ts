// Whole lines by which tools say a state: recognised by a form that no other line has by chance.
import { RE2JS } from 're2js';
import { eventsLimits } from '../limits/events.ts';
import type { Action, Severity } from './alert.ts';
import { spend } from './effort.ts';
import { withoutGateways } from './gateways.ts';
import { senseOf } from './senses.ts';
import { knownAction, severityOf } from './words.ts';

export type LineForm = {
  readonly key: string;
  /** `nothing`: it reports no change of a problem. */
  readonly action: Action | 'nothing';
  readonly severity?: Severity | undefined;
  /** Its mail names the host's address in its text. */
  readonly names?: 'nagios' | 'icinga';
};

const MOST_TAGS = 3;

/** What a line says that is the whole form of a tool; tags in front stay in the key. */
export function lineForm(line: string): LineForm | undefined {
  if (line.length > eventsLimits.subjectLength) return undefined;
  let rest = line;
  for (let count = 0; count <= MOST_TAGS; count += 1) {
    const result = formOf(rest);
    const tags = line.slice(0, line.length - rest.length).trim();
    if (result !== undefined)
      return tags === '' ? result : { ...result, key: `${tags} ${result.key}` };
    const [tag = ''] = /^\[[^[\]]{1,80}\]\s{0,3}/.exec(rest) ?? [];
    if (tag === '') return undefined;
    rest = withoutGateways(rest.slice(tag.length));
  }
  return undefined;
}

function formOf(line: string): LineForm | undefined {
  for (const { hint, read } of forms) {
    const result = hint.test(line) ? read(line) : undefined;
    if (result !== undefined) return result;
  }
  return undefined;
}

type Read = (groups: readonly string[], line: string) => LineForm | undefined;

/**
 * In linear time, since strangers write it. `hint`: a quick look whether it is worth that. Compiled when
 * a line first needs it: all of them would be a seventh of what loading the server takes.
 */
function form(hint: RegExp, source: string, read: Read) {
  let compiled: RE2JS | undefined;
  return {
    hint,
    read(line: string): LineForm | undefined {
      spend(FORM_WORK * line.length);
      compiled ??= RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
      const match = compiled.matcher(line);
      if (!match.find()) return undefined;
      const count = match.groupCount();
      return read(
        Array.from({ length: count }, (_, group) => match.group(group + 1) ?? ''),
        line,
      );
    },
  };
}

const FORM_WORK = 20;

const NOTIFICATION =
  'PROBLEM|RECOVERY|ACKNOWLEDGEMENT|CUSTOM|FLAPPING[A-Z]{3,8}|DOWNTIME[A-Z]{3,9}|ALERTHANDLER';

/** A notification of Nagios and of what came of it. At the end of flapping and downtime the state decides. */
function notification(type: string, key: string, state: string): LineForm {
  const name = type.toUpperCase();
  const word = state.toUpperCase();
  const severity = severityOf(word === 'UNREACHABLE' ? 'DOWN' : word);
  if (name === 'ACKNOWLEDGEMENT') return { action: 'acknowledge', key };
  if (/^(?:CUSTOM|DOWNTIMESTART|ALERTHANDLER)/.test(name)) return { action: 'nothing', key };
  const isOver = name === 'RECOVERY' || (isEnding(name) && (word === 'OK' || word === 'UP'));
  return isOver ? { action: 'resolve', key } : { action: 'trigger', key, severity };
}

const isEnding = (type: string): boolean => /^(?:FLAPPING|DOWNTIME)(?!START)/.test(type);

const nagios = form(
  /^\*\*/,
  `^\\*{2,3} ?(${NOTIFICATION})(?: -|:)? (.+) is (\\w+)!? ?\\*{2,3}$`,
  ([type = '', key = '', state = '']) => ({
    // Each notification has its number: alert 3 - web/HTTP.
    ...notification(type, key.replace(/^(alert) \d{1,6}(?= - )/i, '$1'), state),
    names: 'nagios',
  }),
);
/** Where asterisks are marks of their own, as in Slack. */
const plainNagios = form(
  /^[A-Z]{6,18} (?:host|service) alert: /i,
  `^(${NOTIFICATION}) ((?:Host|Service) Alert: .+) is (\\w+)$`,
  ([type = '', key = '', state = '']) => notification(type, key, state),
);
const oldNagios = form(
  /^host (?:up|down|unreachable) alert/i,
  '^Host (UP|DOWN|UNREACHABLE) alert for (.+)!$',
  ([state = '', host = '']) =>
    notification(state === 'UP' ? 'RECOVERY' : 'PROBLEM', `Host ${host}`, state),
);
const icinga = form(
  /^\[[a-z]{6,16}\].*!$/i,
  `^\\[(${NOTIFICATION})\\] (.+) is (\\w+)!$`,
  ([type = '', key = '', state = '']) => ({ ...notification(type, key, state), names: 'icinga' }),
);

const CHECKMK = 'UP|DOWN|UNR\\w*|OK|WARN\\w*|CRIT\\w*|UNK\\w*|PEND\\w*';
const checkmk = form(
  /^check_?mk: /i,
  `^Check_?MK: (.+?) (?:(?:${CHECKMK}) -> (${CHECKMK})|(Started Flapping)|(Stopped Flapping|Downtime End\\w*|Downtime Cancelled) \\((${CHECKMK})\\)|(Acknowledged)(?: \\(\\w+\\))?|(Downtime Start\\w*|Custom Notification)(?: \\(\\w+\\))?)$`,
  ([key = '', to = '', flapping, ended = '', state = '', acknowledged]) => {
    const word = to || state;
    if (acknowledged) return { action: 'acknowledge', key };
    if (flapping || word !== '')
      return notification(
        flapping ? 'FLAPPINGSTART' : ended ? 'DOWNTIMEEND' : typeOf(word),
        key,
        word,
      );
    return { action: 'nothing', key };
  },
);
const typeOf = (state: string): string => (/^(?:UP|OK)$/i.test(state) ? 'RECOVERY' : 'PROBLEM');

/** [PRTG Network Monitor (site)] device sensor Down ended (now: Up) (message) */
const PRTG =
  'Down|Partial Down|Warning|Unusual|Up|Paused|Unknown|Fehler|Warnung|Ungewöhnlich|OK|Pausiert|Unbekannt';
const prtg = form(
  /^\[.*\b(?:prtg\b|(?:ended|beendet) \((?:now|jetzt): )/i,
  `^\\[([^\\[\\]]{1,100})\\] (.+?) (${PRTG})(?:( ESCALATION)| (?:ended|beendet) \\((?:now|jetzt): (${PRTG})\\))?(?: \\(.*\\))?$`,
  ([site = '', sensor = '', state = '', escalation, now = '']) => {
    if (!/prtg/i.test(site) && !escalation && !now) return undefined;
    const key = `[${site}] ${sensor}`;
    const word = (now || state).toLowerCase();
    if (word === 'up' || word === 'ok') return { action: 'resolve', key };
    if (word === 'paused' || word === 'pausiert') return { action: 'nothing', key };
    return { action: 'trigger', key, severity: /^(?:down|fehler)$/.test(word) ? 'sev1' : 'sev3' };
  },
);

/** Xymon [12345] db-1:disk CRITICAL (RED) */
const xymon = form(
  /^(?:xymon|hobbit|bb) \[\d+\] /i,
  '^(?:Xymon|Hobbit|BB) \\[\\d+\\] (\\S+) (CRITICAL|warning|recovered|disabled|is disabled|INFO|NOTICE)\\b.*$',
  ([key = '', state = '']) => {
    const word = state.toLowerCase();
    if (word === 'recovered') return { action: 'resolve', key };
    if (word !== 'critical' && word !== 'warning') return { action: 'nothing', key };
    return { action: 'trigger', key, severity: severityOf(word) };
  },
);

/** ALERT: db-1 - CPU went above threshold of 90 with 95, of Cacti. */
const cacti = form(
  /^(?:alert|warning|normal|still in (?:alert|warning)) ?: .*threshold/i,
  '^(ALERT|WARNING|NORMAL|Still in (?:ALERT|WARNING)) ?: (.+?) (?:went (?:above|below)|is still (?:above|below)|restored to).*threshold.*$',
  ([state = '', key = '']) => ({ action: /normal/i.test(state) ? 'resolve' : 'trigger', key }),
);

/** Host alarm changed from Green to Red; db-1 OK => CRITICAL */
const transition = form(
  /(?:->|=>|→| to )/i,
  '^(.+?)[ :,-]+(?:(?:status |state )?(?:has )?changed (?:its )?(?:status |state )?from (\\w+) to|(\\w+) ?(?:-+>|=+>|→)) ?(\\w+)[.!]?$',
  ([key = '', before = '', earlier = '', after = '']) => {
    const [from, to] = [stateWord(before || earlier), stateWord(after)];
    if (from === undefined || to === undefined) return undefined;
    return { action: to, key };
  },
);

function stateWord(word: string): 'trigger' | 'resolve' | undefined {
  // Of vCenter: its state is not known.
  if (/^gr[ae]y$/i.test(word)) return 'trigger';
  const sense = senseOf(word);
  if (sense === 'end' || sense === 'maybe' || sense === 'well') return 'resolve';
  return sense === 'trouble' || sense === 'grade' ? 'trigger' : undefined;
}

const librenms = form(
  /^alert for device /i,
  '^Alert for device (\\S+) - (.+?)( got acknowledged| got worse| got better)?$',
  ([host = '', rule = '', change]) => ({
    action: change === ' got acknowledged' ? 'acknowledge' : 'trigger',
    key: `Alert for device ${host} - ${rule}`,
  }),
);
const librenmsEnd = form(
  /^device \S+ recovered from /i,
  '^Device (\\S+) recovered from (.+?)!?$',
  ([host = '', rule = '']) => ({
    action: 'resolve',
    key: `Alert for device ${host} - ${rule}`,
  }),
);

/** shop - Build # 12 - Still Failing!; Build failed in Jenkins: shop #12 */
const jenkins = form(
  / - Build # ?\d+ - /,
  '^(.{1,200}?) - Build # ?\\d{1,9} - (Failure|Still Failing|Unstable|Still Unstable|Fixed|Successful|Aborted|Not Built)!?$',
  ([job = '', state = '']) => {
    if (/^(?:aborted|not built)$/i.test(state)) return { action: 'nothing', key: job };
    const isOver = /^(?:fixed|successful)$/i.test(state);
    return { action: isOver ? 'resolve' : 'trigger', key: `${job} - Build` };
  },
);
const jenkinsMailer = form(
  /jenkins/i,
  '^(?:Build failed in Jenkins|Jenkins build (?:is back to (?:normal|stable)|became unstable|is (?:still )?unstable)) ?: (.{1,200}?)(?: #\\d{1,9})?$',
  ([job = ''], line) => ({
    action: /back to (?:normal|stable)/i.test(line) ? 'resolve' : 'trigger',
    key: `${job} - Build`,
  }),
);

/** [Failed] Backup Job SQL (2 objects) 1 failed */
const veeam = form(
  /^\[(?:success|warning|failed)\] /i,
  '^\\[(Success|Warning|Failed)\\] (.+?) \\(\\d+ (?:objects?|VMs?|machines?|tasks?|items?|computers?|hosts?|databases?|mailboxes|files?)\\)(?:,? \\d+ (?:failed|warnings?|errors?|processed|succeeded))*$',
  ([state = '', key = '']) =>
    /success/i.test(state)
      ? { action: 'resolve', key }
      : { action: 'trigger', key, severity: /warning/i.test(state) ? 'sev3' : undefined },
);

/** Proxmox. */
const vzdump = form(
  /^(?:vzdump )?backup status \(/i,
  '^((?:vzdump )?backup status \\([^()]{1,200}\\)) ?: ?backup (successful|failed)\\b.*$',
  ([key = '', state]) => ({
    action: state?.toLowerCase() === 'failed' ? 'trigger' : 'resolve',
    key,
  }),
);

/** Azure: Activated Severity: 3 name */
const azure = form(
  /^azure: \w+ severity: /i,
  '^Azure: (\\w+) Severity: (\\d) (.+)$',
  ([state = '', , key = '']) => ({
    action: /^(?:deactivated|resolved)$/i.test(state) ? 'resolve' : 'trigger',
    key: `Azure: ${key}`,
  }),
);

/** Zabbix: Service "Shop" problem: Disk is full; Service "Shop" resolved in 5m: Disk is full */
const zabbixService = form(
  /\bservice "[^"]+" (?:problem|resolved)/i,
  '^((?:[\\pL\\pN ._-]{1,40}: )?Service "[^"]{1,200}") (problem|resolved in [\\dA-Z ]{1,40}): (.+)$',
  ([service = '', state = '', name = '']) => ({
    action: /^problem$/i.test(state) ? 'trigger' : 'resolve',
    key: `${service}: ${name}`,
  }),
);

/** NUT and apcupsd, whose words are about the mains: *UPS ups@db-1 on line power*. */
const upsPower = form(
  /\bups \S+ (?:on|power) /i,
  '^(.{0,80}?\\bUPS \\S{1,80}) (on battery|on line power|power failure|power has returned)[ !.]*$',
  ([key = '', state = '']) => ({
    action: /^(?:on line power|power has returned)$/i.test(state) ? 'resolve' : 'trigger',
    key: `${key} power`,
  }),
);
const upsLink = form(
  /communications .*ups/i,
  '^(.{0,80}?)communications (?:with UPS (\\S{1,80}) )?(lost|established|restored)( with UPS \\S{1,80}| with UPS)?[ !.]*$',
  ([before = '', ups = '', state = '', behind = '']) => ({
    action: state.toLowerCase() === 'lost' ? 'trigger' : 'resolve',
    key: `${before}communications ${ups}${behind.trim()}`,
  }),
);

const PICTURES = '[^\\[\\]\\pL\\pN]*[^\\[\\]\\pL\\pN\\s[:punct:]][^\\[\\]\\pL\\pN]*';
/** Uptime Kuma: [Name] [🔴 Down] reason. A name may have brackets too. */
const kuma = form(
  /\] \[[^[\]\w]{1,12}(?:up|down|pending|maintenance)\]/i,
  `^(?:Uptime Kuma[^:]{0,20}: )?\\[(.{1,300}?)\\] \\[${PICTURES}(Up|Down|Pending|Maintenance)\\](?:\\s.*)?$`,
  ([key = '', state = '']) => ({ action: knownAction(state) ?? 'trigger', key }),
);
/** Gatus: [group/name] Alert triggered */
const gatus = form(
  /\] alert (?:triggered|resolved)$/i,
  '^\\[(.{1,300}?)\\] Alert (triggered|resolved)$',
  ([key = '', state]) => ({
    action: knownAction(state) ?? 'trigger',
    key,
  }),
);

const forms = [
  ...[
    nagios,
    plainNagios,
    oldNagios,
    icinga,
    checkmk,
    prtg,
    librenms,
    librenmsEnd,
    jenkins,
    jenkinsMailer,
    veeam,
    vzdump,
    azure,
  ],
  ...[zabbixService, upsPower, upsLink, kuma, gatus, xymon, cacti, transition],
];
