import type { Status } from '../../incidents/incident.ts';

/** As the dashboard shows it; the word stands beside. */
export const stateShape = (status: Status): string =>
  `<svg aria-hidden="true" viewBox="0 0 18 18">${shapes[status]}</svg>`;

const shapes: Readonly<Record<Status, string>> = {
  triggered:
    '<path d="M9 2.4 16.4 15a.9.9 0 0 1-.78 1.35H2.38A.9.9 0 0 1 1.6 15Z" fill="currentColor" ' +
    'stroke="currentColor" stroke-linejoin="round"/><path d="M9 7v4.2" stroke="var(--color-bg)" ' +
    'stroke-width="1.8" stroke-linecap="round"/><circle cx="9" cy="13.6" r="1.1" ' +
    'fill="var(--color-bg)"/>',
  acknowledged:
    '<circle cx="9" cy="9" r="6.6" fill="none" stroke="currentColor" stroke-width="1.8"/>' +
    '<path d="M9 2.4a6.6 6.6 0 0 1 0 13.2Z" fill="currentColor"/>',
  resolved:
    '<path d="m3.5 9.5 3.6 3.6 7.4-8" fill="none" stroke="currentColor" stroke-width="2" ' +
    'stroke-linecap="round" stroke-linejoin="round"/>',
};
