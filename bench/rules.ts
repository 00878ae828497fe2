// What judging routing rules costs: rules of three conditions, one of them a regular expression of
// 40 characters, asked of one event of 1 KB after another. No server, no database.
import type { Condition } from '../src/resources/condition.ts';
import type { Facts } from '../src/rules/facts.ts';
import { type CompiledRule, compileRule } from '../src/rules/match-rule.ts';
import { quantile } from './load.ts';
import type { Report } from './report.ts';

const events = 2_000;
const subjects = ['disk', 'memory', 'load', 'latency', 'queue', 'replica', 'backup', 'certificate'];
const teams = ['storage', 'checkout', 'search', 'mail', 'login', 'billing', 'data', 'edge'];

/** None is found in any event: the whole text has to be searched. */
const patterns = [
  (number: number) => `code=E${number}[0-9] on (web|apis)-[0-9]{2,3}`,
  (number: number) => `(timeout|refuse) after ${number}[0-9]{1,} ms$`,
  (number: number) => `^[a-z]+-[0-9]{2,3}\\.(us|ap)-[a-z]+-${number}$`,
];

/** About one of 64 pairs of subject and team; or about any, and held back by nothing. */
export function conditionsOf(number: number, isAbout: 'one pair' | 'any'): Condition[] {
  const subject = subjects[number % subjects.length] ?? '';
  const team = teams[Math.floor(number / subjects.length) % teams.length] ?? '';
  const pattern = patterns[number % patterns.length]?.(1_000 + number) ?? '';
  const comparator = isAbout === 'any' ? 'doesNotEqual' : 'equals';
  const text = isAbout === 'any' ? ' on ' : subject;
  return [
    { type: 'incidentDetails', key: 'message', comparator: 'matches', text: pattern },
    { type: 'incidentDetails', key: 'labels.team', comparator, text: team },
    { type: 'incidentMessage', comparator: 'contains', text },
  ];
}

const rulesOf = (count: number, isAbout: 'one pair' | 'any'): readonly CompiledRule[] =>
  Array.from({ length: count }, (_, number) =>
    compileRule({
      id: String(number),
      name: `Rule ${number}`,
      actions: [{ type: 'acknowledgeIncident' }],
      condition_groups: [{ conditions: conditionsOf(number, isAbout) }],
    }),
  );

const filler = 'usage is at 93 % of its capacity, and grows by 2 % an hour; '.repeat(15);

/** Of no team that a rule excludes, or of one that some rules are about; 1 KB. */
export function alertOf(number: number, team = teams[number % teams.length] ?? '') {
  const subject = subjects[number % subjects.length] ?? '';
  return {
    title: `High ${subject} on db-${number}`,
    details: { message: `db-${number}: ${filler}`, labels: { team } },
  };
}

function factsOf(number: number, team?: string): Facts {
  return {
    ...alertOf(number, team),
    priority: null,
    severity: 'sev2',
    alertsTotal: 1,
    integrationId: '',
    serviceId: '',
    repeatCount: 0,
    repeatedAt: [],
    suppressedCount: 0,
    suppressedAt: [],
    now: Temporal.Instant.from('2026-01-05T09:00:00Z'),
    isSuppressed: false,
  };
}

/** Microseconds that judging each of many events by all rules took; those before do not count. */
function timed(rules: readonly CompiledRule[], factsAt: (event: number) => Facts) {
  const took: number[] = [];
  for (let event = 0; event < events * 1.25; event += 1) {
    const facts = factsAt(event);
    const begins = performance.now();
    for (const { matches } of rules) matches(facts);
    took.push((performance.now() - begins) * 1_000);
  }
  return took.slice(-events).sort((one, other) => one - other);
}

const percentiles = (took: readonly number[]) =>
  `p50 ${quantile([...took], 0.5).toFixed(0)} µs, p99 ${quantile([...took], 0.99).toFixed(0)} µs`;

export function measureRules(report: Report): void {
  const ofNobody = (event: number) => factsOf(event, 'nobody');
  for (const count of [100, 1_000]) {
    const about = timed(rulesOf(count, 'one pair'), factsOf);
    const some = '1 of 64 gets as far as its regular expression';
    report(`an event evaluated by ${count} rules`, percentiles(about), some);
    const any = timed(rulesOf(count, 'any'), ofNobody);
    report(`an event evaluated by ${count} rules, at worst`, percentiles(any), 'all get as far');
  }
}
