import type { Verdict } from '../../resources/verdicts.ts';

export type Action =
  | 'incidents'
  | 'onCalls'
  | 'me'
  | 'pages'
  | 'reports'
  | 'people'
  | 'services'
  | 'policies'
  | 'webhooks'
  | 'playbooks'
  | 'integrations'
  | 'rules'
  | 'settings'
  | 'next'
  | 'previous'
  | 'search'
  | 'cover'
  | 'earlier'
  | 'later'
  | 'today'
  | 'select'
  | IncidentAction
  | Verdict
  | 'help';

/** What is done to an incident, as its page and its list have it. */
export const incidentActions = [
  'acknowledge',
  'escalate',
  'resolve',
  'mute',
  'note',
  'priority',
  'severity',
  'reassign',
  'run-playbook',
] as const;
export type IncidentAction = (typeof incidentActions)[number];

/** As they are pressed one after the other; Enter opens a link by itself. */
export const keys: readonly { readonly keys: readonly string[]; readonly action: Action }[] = [
  { keys: ['g', 'i'], action: 'incidents' },
  { keys: ['g', 'm'], action: 'me' },
  { keys: ['g', 'a'], action: 'pages' },
  { keys: ['g', 'n'], action: 'reports' },
  { keys: ['g', 'p'], action: 'people' },
  { keys: ['g', 'o'], action: 'onCalls' },
  { keys: ['g', 's'], action: 'services' },
  { keys: ['g', 'e'], action: 'policies' },
  { keys: ['g', 'w'], action: 'webhooks' },
  { keys: ['g', 'b'], action: 'playbooks' },
  { keys: ['g', 't'], action: 'integrations' },
  { keys: ['g', 'r'], action: 'rules' },
  { keys: ['g', ','], action: 'settings' },
  { keys: ['/'], action: 'search' },
  { keys: ['j'], action: 'next' },
  { keys: ['k'], action: 'previous' },
  { keys: ['o'], action: 'cover' },
  { keys: ['['], action: 'earlier' },
  { keys: [']'], action: 'later' },
  { keys: ['t'], action: 'today' },
  { keys: ['x'], action: 'select' },
  { keys: ['a'], action: 'acknowledge' },
  { keys: ['e'], action: 'escalate' },
  { keys: ['r'], action: 'resolve' },
  { keys: ['m'], action: 'mute' },
  { keys: ['n'], action: 'note' },
  { keys: ['p'], action: 'priority' },
  { keys: ['v'], action: 'severity' },
  { keys: ['u'], action: 'reassign' },
  { keys: ['b'], action: 'run-playbook' },
  { keys: ['1'], action: 'real' },
  { keys: ['2'], action: 'false_alarm' },
  { keys: ['3'], action: 'nothing_to_do' },
  { keys: ['4'], action: 'unclear' },
  { keys: ['?'], action: 'help' },
];

/** Also within a field, and where single keys are switched off. */
export const paletteKeys = /Mac|iP/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

export const isPaletteKey = ({
  key,
  ctrlKey,
  metaKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>) =>
  (ctrlKey || metaKey) && key.toLowerCase() === 'k';

export type Pressed = { readonly action: Action | null; readonly before: readonly string[] };

/** What a key means after those pressed before it, and which of them count for the next one. */
export function pressed(before: readonly string[], key: string): Pressed {
  const sequence = [...before, key];
  const match = keys.find((one) => one.keys.join(' ') === sequence.join(' '));
  if (match !== undefined) return { action: match.action, before: [] };
  const isBegun = keys.some(
    (one) => one.keys.slice(0, sequence.length).join(' ') === sequence.join(' '),
  );
  if (isBegun) return { action: null, before: sequence };
  return before.length > 0 ? pressed([], key) : { action: null, before: [] };
}
