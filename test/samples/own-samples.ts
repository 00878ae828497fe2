// The samples of our own, by integration type; those that come by mail are in mails.ts.
import { applications } from './applications.ts';
import { clouds } from './clouds.ts';
import { hosts } from './hosts.ts';
import { otherServices } from './other-services.ts';
import { prometheusFamily } from './prometheus-family.ts';
import type { ToolSamples } from './sample.ts';
import { uptimeChecks } from './uptime-checks.ts';

export const ownSamples: Readonly<Record<string, ToolSamples>> = {
  ...uptimeChecks,
  ...hosts,
  ...applications,
  ...clouds,
  ...prometheusFamily,
  ...otherServices,
};
