// Keys of other services, which an integration can adopt so that tools keep theirs.
import { accessLimits } from '../limits/access.ts';

/** The services whose clients can be sent here by their address alone. */
export const keyKinds = [
  'pagerduty',
  'opsgenie',
  'victorops',
  'grafana_oncall',
  'goalert',
  'alertmanager',
] as const;
export type KeyKind = (typeof keyKinds)[number];

/** Printable characters of ASCII, without spaces. */
export const keyForm = new RegExp(
  `^[\\x21-\\x7e]{${accessLimits.adoptedKeyMin},${accessLimits.adoptedKeyMax}}$`,
);
