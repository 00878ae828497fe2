// The dashboard in Debian's Chromium, on a server inside the test: what a person sees and presses.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from 'playwright-core';
import { anyDatabase } from '../database.ts';
import { postJson } from '../system/api-client.ts';
import { type InProcess, startInProcess } from '../system/in-process.ts';
import type { Settings } from '../system/server-process.ts';
import { launchBrowser } from './browser.ts';
import { built } from './built.ts';
import { arePicturesWanted, nameOfState, takePicture } from './pictures.ts';

export { elsewhere, noBrowser } from './browser.ts';

/** For what is never shown: what is waited for on a busy machine can take half a minute. */
const SHOWN_MILLISECONDS_MAX = 120_000;
export const person = { email: 'owner@example.test', password: 'a password for tests' };

export const phone = { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true };
export const desktop = { viewport: { width: 1280, height: 720 } };
/**
 * The narrowest of each layout, for what fits there also fits where it is wider. Stories on a phone
 * are checked at its width too.
 */
const widths = arePicturesWanted ? [320, 390, 768, 1280] : [320, 768, 1280];
/** What `axe.source` is, at half the length, which each page compiles anew. */
const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/** The rules of axe whose answer depends on colours, which are all that a theme changes. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

export type Stage = AsyncDisposable & {
  readonly server: InProcess;
  /** Opens an incident by an event; answers its number. */
  alert(title: string, fields?: Readonly<Record<string, string>>): Promise<number>;
  story(options: BrowserContextOptions, play: (story: Story) => Promise<void>): Promise<void>;
};
export type Story = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Goes to a page, signed in. */
  open(path: string): Promise<void>;
  /** What is in the console by intent, such as a request that the story lets fail. */
  expectError(text: RegExp): void;
};

export async function startStage(more: Settings = {}): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  await built();
  const settings = {
    PAGER_BOOTSTRAP_EMAIL: person.email,
    PAGER_BOOTSTRAP_PASSWORD: person.password,
    ...more,
  };
  const server = stack.use(await startInProcess(await anyDatabase(), settings));
  const browser = await launchBrowser();
  stack.defer(() => browser.close());
  const integrations = await server.api.list('integrations');
  const { webhook_url } = integrations.find(({ name }) => name === 'First webhook');
  const all = stack.move();
  return {
    server,
    async alert(title, fields = {}) {
      const { body } = await postJson(webhook_url, { title, ...fields });
      return body.alerts[0].incident;
    },
    story: (options, play) => run(browser, server.url, { options, play }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

type Playing = {
  readonly options: BrowserContextOptions;
  readonly play: (story: Story) => Promise<void>;
};

async function run(browser: Browser, url: string, { options, play }: Playing): Promise<void> {
  const context = await browser.newContext({ baseURL: url, ...options });
  context.setDefaultTimeout(SHOWN_MILLISECONDS_MAX);
  try {
    const page = await context.newPage();
    const faults: string[] = [];
    const expected: RegExp[] = [];
    page.on('console', (message) => {
      const of = `${message.text()} ${message.location().url}`;
      if (['error', 'warning'].includes(message.type())) faults.push(of);
    });
    page.on('pageerror', (error) => faults.push(error.message));
    const story: Story = {
      page,
      context,
      open: (path) => open(context, page, path),
      expectError: (text) => expected.push(text),
    };
    await play(story).catch(async (error) => {
      // The step alone does not say whether a request failed or is not answered yet.
      const shown = await page.locator('body').ariaSnapshot().catch(String);
      throw new Error(['The browser shows:', shown, 'and said:', ...faults].join('\n'), {
        cause: error,
      });
    });
    const unexpected = faults.filter((fault) => !expected.some((text) => text.test(fault)));
    assert.deepEqual(unexpected, []);
  } finally {
    await context.close();
  }
}

/** The first time without the page that asks for it, which stories about signing in go through. */
async function open(context: BrowserContext, page: Page, path: string): Promise<void> {
  if ((await context.cookies()).length === 0) {
    const headers = { 'sec-fetch-site': 'same-origin' };
    const answer = await context.request.post('/auth/sign-in', { headers, data: person });
    assert.equal(answer.status(), 200, await answer.text());
  }
  await page.goto(path);
  await settled(page);
}

/** What is read moves what is below it, and a tap on that meets something else. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
}

export async function signIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/sign-in');
}

/** What is shown now reads well: for all, in both themes, without scrolling sideways at any width. */
/** Drags the row of one handle into the place of the row of another. */
export async function dragTo(page: Page, handle: Locator, target: Locator): Promise<void> {
  await handle.scrollIntoViewIfNeeded();
  const [from, to] = [await middleOf(handle), await middleOf(target)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, (from.y + to.y) / 2);
  await page.mouse.move(to.x, to.y + Math.sign(to.y - from.y) * 4);
  await page.mouse.up();
}

async function middleOf(handle: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const box = await handle.boundingBox();
  if (box === null) throw new Error('the handle is not shown');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

export async function checkShown(page: Page): Promise<void> {
  // What is about to be replaced is pale, too pale to pass the rules of contrast.
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  const size = page.viewportSize() ?? desktop.viewport;
  const name = nameOfState();
  // At the end it is as wide again as the story has it.
  for (const width of [...widths.filter((one) => one !== size.width), size.width]) {
    await page.setViewportSize({ width, height: size.height });
    const shown = await page.evaluate('document.documentElement.scrollWidth');
    assert.equal(shown, width, `${width} px wide, it scrolls sideways`);
    if (arePicturesWanted) await checkThemes(page, `${name}-${width}`);
  }
  if (!arePicturesWanted) await checkThemes(page, name);
}

async function checkThemes(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    assert.deepEqual(await violations(page, colorScheme), [], colorScheme);
    await takePicture(page, `${name}-${colorScheme}`);
  }
}

async function violations(page: Page, theme: 'light' | 'dark'): Promise<readonly string[]> {
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(axe);
  const rules = theme === 'light' ? {} : { runOnly: rulesOfColours };
  const results = await page.evaluate<readonly { id: string; nodes: { html: string }[] }[]>(
    // A menu is on top of all, outside of every region of the page.
    `axe.run({
      resultTypes: ['violations'],
      rules: { region: { enabled: document.querySelector('[role=menu]') === null } },
      ...${JSON.stringify(rules)},
    }).then(({ violations }) => violations)`,
  );
  return results.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
