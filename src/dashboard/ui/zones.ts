export const UTC = 'Etc/UTC';

/** The one that the browser is set to. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** With which a new record begins: nobody has chosen UTC, with which organizations begin. */
export const zoneToBegin = (organizationZone: string = UTC): string =>
  organizationZone === UTC || organizationZone === 'UTC' ? ownZone() : organizationZone;

const zones: readonly string[] = [
  ...new Set([UTC, ownZone(), ...Intl.supportedValuesOf('timeZone')]),
];

/** Those that the browser knows, UTC and its own first, and the one that is chosen. */
export const zonesWith = (chosen: string): readonly string[] =>
  chosen === '' || zones.includes(chosen) ? zones : [chosen, ...zones];
