// How soon the dashboard shows what is wrong, and answers a press: in Debian's Chromium on this
// machine, which the server shares, and on a slow phone's processor and line.
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { built } from '../test/dashboard/built.ts';
import { ms, type Report } from './report.ts';
import { type Bench, startBench } from './world.ts';

const CHROMIUM = '/usr/bin/chromium';
const person = { email: 'owner@example.test', password: 'a password for figures' };
const OPEN = 50;
const TIMES = 7;

type Device = { readonly name: string; readonly isSlow: boolean };
const devices: readonly Device[] = [
  { name: 'this machine', isSlow: false },
  { name: 'a processor 4 times slower, 1.6 Mbit/s, 150 ms', isSlow: true },
];

type Visit = {
  readonly paint: number;
  readonly shift: number;
  readonly requests: number;
  readonly interaction: number;
};

export async function measureDashboard(report: Report): Promise<void> {
  if (!existsSync(CHROMIUM)) {
    report('dashboard', 'not measured', 'apt-get install --no-install-recommends chromium');
    return;
  }
  await built();
  await using bench = await startBench({
    more: { PAGER_BOOTSTRAP_EMAIL: person.email, PAGER_BOOTSTRAP_PASSWORD: person.password },
  });
  await openIncidents(bench);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const state = await signIn(browser, bench);
    for (const device of devices) {
      const visits: Visit[] = [];
      for (let time = 0; time < TIMES; time += 1)
        visits.push(await visit(browser, bench, { device, state }));
      reportVisits(report, device, visits);
    }
  } finally {
    await browser.close();
  }
}

function reportVisits(report: Report, { name }: Device, visits: readonly Visit[]): void {
  const of = (part: keyof Visit) => median(visits.map((one) => one[part]));
  const { requests } = visits[0] ?? { requests: 0 };
  report(
    `**incidents shown**, ${OPEN} open, nothing kept: ${name}`,
    `${ms(of('paint'))} until the largest paint`,
    `${requests} requests of the API until then; layout shift ${of('shift').toFixed(3)}`,
  );
  report(
    `a press until the next paint: ${name}`,
    ms(of('interaction')),
    'the longest of each visit',
  );
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

async function openIncidents(bench: Bench): Promise<void> {
  const { data } = await bench.api('GET /integrations');
  const [{ webhook_url }] = data as [{ webhook_url: string }];
  for (let number = 0; number < OPEN; number += 1)
    await fetch(webhook_url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: `Primary lost on db-${number}`, priority: 'p2' }),
    });
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

async function signIn(browser: Browser, bench: Bench): Promise<State> {
  const context = await browser.newContext({ baseURL: `http://127.0.0.1:${bench.port}` });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/incidents');
  const state = await context.storageState();
  await context.close();
  return state;
}

type Visiting = { readonly device: Device; readonly state: State };

/** Of a browser that has nothing of the dashboard yet. */
async function visit(browser: Browser, bench: Bench, { device, state }: Visiting): Promise<Visit> {
  const baseURL = `http://127.0.0.1:${bench.port}`;
  const viewport = { width: 390, height: 780 };
  const context = await browser.newContext({ baseURL, viewport, storageState: state });
  try {
    const page = await context.newPage();
    if (device.isSlow) await slowDown(context, page);
    await page.addInitScript(observe);
    let requests = 0;
    page.on('request', (request) => {
      if (/\/(api\/v1|auth)\/(?!events)/.test(request.url())) requests += 1;
    });
    await page.goto('/incidents');
    await page.locator('[data-incident]').first().waitFor();
    const untilShown = requests;
    await page.evaluate('new Promise((done) => requestIdleCallback(done))');
    for (const name of ['Mine', 'All', 'Open']) {
      await page.getByRole('link', { name: new RegExp(`^${name}`) }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    await page.locator('[data-incident]').first().click();
    await page.getByRole('button', { name: 'Acknowledge' }).waitFor();
    // A frame more, so that the last press is known.
    await page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))',
    );
    const seen = await page.evaluate<Omit<Visit, 'requests'>>('window.figures');
    return { ...seen, requests: untilShown };
  } finally {
    await context.close();
  }
}

async function slowDown(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  });
}

/** Runs in the page, before anything of it. */
const observe = `
  window.figures = { paint: 0, shift: 0, interaction: 0 };
  const watch = (type, see, more) =>
    new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true, ...more });
  watch('largest-contentful-paint', ({ startTime }) => (figures.paint = startTime));
  watch('layout-shift', ({ value, hadRecentInput }) => (figures.shift += hadRecentInput ? 0 : value));
  watch(
    'event',
    ({ duration, interactionId }) => {
      if (interactionId) figures.interaction = Math.max(figures.interaction, duration);
    },
    { durationThreshold: 16 },
  );
`;
