// Debian's Chromium, as the tests start it.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { skipped } from '../skipped.ts';

/** A host that is not this machine to the browser: it trusts pages of it less, over plain HTTP. */
export const elsewhere = 'pager.test';
const CHROMIUM = '/usr/bin/chromium';

export const noBrowser = existsSync(CHROMIUM)
  ? undefined
  : skipped('the dashboard in a browser', 'apt-get install --no-install-recommends chromium');

// A window of Chromium loads what its address bar pops up, in two renderers of its own, and starts a
// third for a page that may come: more work than a page of the dashboard. The other names are those
// that Playwright turns off, whose list this one replaces.
const featuresOff = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'],
  ...['PreloadTopChromeWebUI', 'SpareRendererForSitePerProcess'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect'],
  ...['OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
];

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: [
      ...['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'],
      ...['--disable-lcd-text', '--force-color-profile=srgb'],
      `--disable-features=${featuresOff.join(',')}`,
      `--host-resolver-rules=MAP ${elsewhere} 127.0.0.1`,
    ],
  });
