// What reading an event costs, by integration type: of its samples, and where there is none, of what the
// type sends for a test; and how many a second a server takes.
import type { HttpRequest } from '../src/alerts/alert.ts';
import { integrationTypes } from '../src/alerts/index.ts';
import type { IntegrationType } from '../src/alerts/integration-type.ts';
import { posted } from '../test/http-event.ts';
import { alertsIn, ofStatus, type Sample, samples } from '../test/tool-samples.ts';
import { only } from './events.ts';
import { load, quantile, request } from './load.ts';
import { type Report, rate, share, times } from './report.ts';
import { type Bench, hookFor } from './world.ts';

const reads = 300;
const about = {
  receivedAt: Temporal.Instant.from('2026-11-21T02:59:20Z'),
  integrationName: 'Bench',
};

type Cost = { readonly slug: string; readonly micros: number; readonly bytes: number };

/** The median of each of its events, and of these the mean. */
function costOf(type: IntegrationType): Cost {
  const requests = requestsFor(type);
  const bytes = mean(requests.map(({ body }) => body.byteLength));
  return { slug: type.slug, micros: mean(requests.map((one) => microsFor(type, one))), bytes };
}

function requestsFor(type: IntegrationType): readonly HttpRequest[] {
  const own = samples.filter((sample) => sample.type === type).map((sample) => sample.request);
  if (own.length > 0) return own;
  const made = type.testRequest({ title: 'Disk of db-1 is full', note: 'at 93 %' });
  const json = made.source === 'http' ? made.json : { title: made.subject, body: made.text };
  const body = new TextEncoder().encode(JSON.stringify(json));
  return [{ ...posted, path: '/push-events', contentType: 'application/json', body }];
}

function microsFor(type: IntegrationType, sent: HttpRequest): number {
  const took: number[] = [];
  for (let count = 0; count < reads * 1.5; count += 1) {
    const begins = performance.now();
    type.read(sent, about);
    took.push((performance.now() - begins) * 1_000);
  }
  return quantile(
    took.slice(-reads).sort((one, other) => one - other),
    0.5,
  );
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const micros = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} µs`;

export function measureTypes(report: Report): void {
  // Twice, for the first reads are those that V8 optimizes.
  integrationTypes.map(costOf);
  const costs = integrationTypes.map(costOf).sort((one, other) => one.micros - other.micros);
  const [fastest] = costs;
  const slowest = costs.slice(-5).reverse();
  const median = costs[Math.floor(costs.length / 2)]?.micros ?? Number.NaN;
  const listed = slowest.map(
    ({ slug, micros: took, bytes }) => `${slug} ${micros(took)} (${(bytes / 1_000).toFixed(1)} KB)`,
  );
  report(
    `an event read, by ${costs.length} types`,
    `from ${micros(fastest?.micros ?? Number.NaN)}, median ${micros(median)}`,
    `the slowest: ${listed.join(', ')}`,
  );
  const own = costs.find(({ slug }) => slug === 'webhook');
  report('the same by webhook', micros(own?.micros ?? Number.NaN));
}

const connections = 64;
const compared = ['alertmanager', 'grafana', 'pagerduty-events-v2', 'datadog', 'zabbix', 'github'];

/** Ends of problems that nobody has, so that nothing but taking them in is measured. */
export async function measureIngestByType(bench: Bench, report: Report): Promise<void> {
  const ends = compared.flatMap((slug) =>
    ofStatus('resolved')
      .filter(({ type }) => type.slug === slug)
      .slice(0, 1),
  );
  const path = await hookFor(bench, 'http://127.0.0.1:9/nobody', { delay_minutes: 1_440 });
  const run = async (next: () => string) => {
    await load({ port: bench.port, connections, seconds: 2, next });
    return only('202', await load({ port: bench.port, connections, seconds: 5, next }));
  };
  let n = 0;
  const plain = await run(() => {
    n += 1;
    return request(path, `{"title":"Over","status":"resolve","dedup_key":"t${n}"}`);
  });
  report('events a second of webhook', rate(plain.perSecond), times(plain));
  for (const end of ends) {
    const to = await hookFor(
      bench,
      'http://127.0.0.1:9/nobody',
      { delay_minutes: 1_440 },
      end.type.slug,
    );
    const result = await run(numbered(end, to));
    const size = `${(end.request.body.byteLength / 1_000).toFixed(1)} KB`;
    report(
      `events a second of ${end.type.slug}, ${size} each`,
      rate(result.perSecond),
      `${share(result.perSecond, plain.perSecond)} of webhook; ${times(result)}`,
    );
  }
}

/** Each about a problem of its own, where its key stands in it. */
function numbered(end: Sample, path: string): () => string {
  const text = new TextDecoder().decode(end.request.body);
  const key = alertsIn(end)[0]?.dedup_key ?? '';
  let n = 0;
  return () => {
    n += 1;
    return request(path, text.replaceAll(`"${key}"`, `"${key}-${n}"`));
  };
}
