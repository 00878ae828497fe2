// What of a body stays the same as long as its problem does, for the key of what has none.
import type { Json } from '../alert.ts';
import { canonical } from '../body/json.ts';
import { spend } from '../effort.ts';
import { shortHash } from '../hash.ts';
import { isObject } from '../text.ts';
import { knownAction, severityOf } from '../words.ts';
import { plainWords } from './body-values.ts';
import { unmeasured } from './measured.ts';
import { isMissing } from './template-leftovers.ts';
import { titleWithoutState } from './title-without-state.ts';

const MEMBER_WORK = 20;
const EPOCHS = [
  [1.4e9, 2.4e9],
  [1.4e12, 2.4e12],
  [1.4e15, 2.4e15],
  [1.4e18, 2.4e18],
] as const;

const INSTANT =
  /(?:^|_)(?:at|time|timestamp|ts|date|datetime|epoch|now|since|until|when|created|updated|started|ended|starts|ends|begin|end|first_seen|last_seen)$/;
/** Each message has another. */
const OF_MESSAGE =
  /(?:^|_)(?:message|request|delivery|notification|trace|span|correlation|transaction|webhook_event)_(?:id|uid|uuid|guid)$|^nonce$/;
const MEASURED =
  /(?:^|_)(?:value|values|count|counter|total|used|free|usage|current|last|previous|average|avg|min|max|mean|median|percent|percentage|ratio|rate|load|latency|duration|elapsed|age|uptime|downtime|attempt|attempts|retries|retry|times|sequence|seq|occurrences|hits|score|size|length|temperature|threshold|ping|response_time)$/;
const STATE =
  /(?:^|_)(?:status|state|severity|level|priority|urgency|criticality|action|event_type|event_action|type|event|transition|result|condition|color|colour|icon|emoji)$/;
const TITLE =
  /^(?:title|summary|subject|message|name|alertname|description|text|body|msg|output|line)$/;

/** A key of the whole body, without its state, instants, counters and measured values. */
export function lastingKey(item: Json): string {
  const lasting = lastingOf(item, '');
  return shortHash(canonical(lasting === undefined ? item : lasting));
}

function lastingOf(value: Json, name: string): Json | undefined {
  spend(MEMBER_WORK);
  if (value === null || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return isLasting(value, name) ? String(value) : undefined;
  if (typeof value === 'string') return lastingText(value, name);
  const members: [string, Json][] = [];
  for (const [member, inner] of Object.entries(value)) {
    const lasting = lastingOf(inner, isObject(value) ? plainWords(member) : name);
    if (lasting !== undefined) members.push([member, lasting]);
  }
  if (members.length === 0) return undefined;
  return isObject(value) ? Object.fromEntries(members) : members.map(([, inner]) => inner);
}

function isLasting(value: number, name: string): boolean {
  if (!Number.isInteger(value)) return false;
  if ([INSTANT, MEASURED, STATE].some((form) => form.test(name))) return false;
  if (/(?:^|_)(?:id|key|number|port)$/.test(name)) return true;
  return !EPOCHS.some(([from, to]) => value >= from && value < to);
}

function lastingText(value: string, name: string): string | undefined {
  if (isMissing(value) || OF_MESSAGE.test(name) || INSTANT.test(name)) return undefined;
  if (/^[-+]?\d+(?:\.\d+)?$/.test(value)) {
    const number = Number(value);
    return isLasting(number, name) ? value : undefined;
  }
  const isWordOfState =
    STATE.test(name) && (knownAction(value) !== undefined || severityOf(value) !== undefined);
  if (isWordOfState) return undefined;
  return unmeasured(TITLE.test(name) ? titleWithoutState(value.trim()) : value) || undefined;
}
