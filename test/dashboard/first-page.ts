// The first page of a server that has just been installed, by a browser alone: nothing in the process
// of a test builds the dashboard or opens the incident.
import assert from 'node:assert/strict';
import { launchBrowser } from './browser.ts';

const SHOWN_MILLISECONDS_MAX = 60_000;

type Printed = Readonly<Record<'dashboard' | 'email' | 'password' | 'apiKey' | 'curl', string>>;

/** What a first start prints. */
export function printedIn(output: string): Printed {
  const after = (label: RegExp) => label.exec(output)?.[1] ?? assert.fail(`${label}:\n${output}`);
  return {
    dashboard: after(/^ +Dashboard +(\S+)$/m),
    email: after(/^ +Sign in +(\S+)$/m),
    password: after(/^ +Password +(\S+)$/m),
    apiKey: after(/^ +API key +(\S+)$/m),
    curl: after(/^ +(curl .*)$/m),
  };
}

/** Signs in as a new user, sends a test event and acknowledges its incident; answers what was pressed. */
export async function acknowledgeFirst({
  dashboard,
  email,
  password,
}: Printed): Promise<readonly string[]> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(SHOWN_MILLISECONDS_MAX);
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
    await page.goto(dashboard);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await press('Sign in');
    const [send, acknowledge] = ['Send test event', 'Acknowledge'];
    await press(send);
    // It says "Nobody paged" and no longer "Triggered" once the mail is found to go nowhere.
    await page.getByRole('link', { name: / INC-1\b/ }).click();
    await press(acknowledge);
    await page
      .getByText(/^Acknowledged/)
      .first()
      .waitFor();
    assert.deepEqual(faults, []);
    return [send, acknowledge];
  } finally {
    await browser.close();
  }
}
