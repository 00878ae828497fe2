// What Alertmanager's own texts say of their alerts, where the subject says nothing: the labels, line
// by line.
import { eventsLimits } from '../limits/events.ts';
import { shortHash } from './hash.ts';

const LABEL = /^\s*-?\s*([A-Za-z_]\w{0,100}) = (.{1,500}?)\s*$/;

/** A key of the labels of all alerts in a text; none if it has no such list. */
export function labelsOf(text: string): string | undefined {
  const labels: string[] = [];
  let isLabel = false;
  for (const line of text.slice(0, eventsLimits.mailTextLength).split(/\r\n|\r|\n/)) {
    if (/^\s*(?:Labels|Annotations|Source|Silence|Dashboard|Panel|Value)s?:/.test(line))
      isLabel = /^\s*Labels:/.test(line);
    else if (isLabel) {
      const [, name = '', value = ''] = LABEL.exec(line) ?? [];
      if (name !== '') labels.push(`${name}=${value}`);
    }
  }
  if (labels.length === 0) return undefined;
  const key = [...new Set(labels)].sort().join(' ');
  const named = labels.find((label) => label.startsWith('alertname='))?.slice('alertname='.length);
  return `${named ?? 'alert'} ${shortHash(key)}`;
}
