export const UTC = 'Etc/UTC';

const zones: readonly string[] = [...new Set([UTC, ...Intl.supportedValuesOf('timeZone')])];

/** The one that the browser is set to. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Those that the browser knows, UTC first, and the one that is chosen. */
export const zonesWith = (chosen: string): readonly string[] =>
  chosen === '' || zones.includes(chosen) ? zones : [chosen, ...zones];
