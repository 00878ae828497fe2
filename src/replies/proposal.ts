// What somebody is answered whose text did nothing: what to send instead. It fits one SMS.
import type { Status } from '../incidents/incident.ts';
import { english, type Phrases } from '../notices/words/en.ts';
import type { Guess, Unclear, Verb } from './verbs.ts';

export type OpenIncident = { readonly number: number; readonly status: Status };

type Proposing = Pick<Unclear, 'isSeveral'> & {
  readonly guesses: readonly Guess[];
  /** For which a page was sent there, the newest first. */
  readonly open: readonly OpenIncident[];
  readonly may: (action: Verb) => boolean;
};

const keys: readonly (readonly [Verb, number])[] = [
  ['acknowledge', 4],
  ['resolve', 6],
  ['escalate', 9],
];

const SEGMENT_LENGTH = 160;

export function proposalFor(
  { guesses, isSeveral, open, may }: Proposing,
  phrases: Phrases = english,
): string {
  const { nothing, nothingOpen, oneThing, to, choices, choice } = phrases.proposal;
  if (open.length === 0) return nothingOpen;
  const lead = isSeveral ? oneThing : nothing;
  const likely = likeliest(guesses, open);
  const actions = keys.filter(([verb]) => may(verb));
  if (likely === null) return listed(lead, { open, key: actions[0]?.[1] ?? 4 }, phrases);
  const { incident, action } = likely;
  const matching = actions.filter(([verb]) => action === verb);
  const [[verb, key] = [], ...others] = (matching.length > 0 ? matching : actions).filter(
    ([one]) => action === one || one !== 'acknowledge' || incident.status === 'triggered',
  );
  if (verb === undefined) return lead;
  const { number } = incident;
  const name = `INC-${number}`;
  const all = [[verb, key] as const, ...others].map(([one, pressed]) =>
    choice[one](`${pressed} ${number}`),
  );
  return others.length === 0
    ? `${lead} ${to[verb](name, `${key} ${number}`)}`
    : `${lead} ${choices(name, all.join(', '))}`;
}

type Likely = { readonly incident: OpenIncident; readonly action: Verb | null };

/** Null: each of them may be meant, or another one. */
function likeliest(guesses: readonly Guess[], open: readonly OpenIncident[]): Likely | null {
  for (const { action, number } of guesses) {
    const incident = open.find((one) => one.number === number);
    if (incident !== undefined) return { incident, action };
  }
  const [first] = guesses;
  if (first === undefined || first.number !== null) return null;
  const { action } = first;
  const possible = open.filter(({ status }) => action !== 'acknowledge' || status === 'triggered');
  const [incident, other] = possible;
  return incident === undefined || other !== undefined ? null : { incident, action };
}

/** As many as there is room for. */
function listed(
  lead: string,
  { open, key }: { readonly open: readonly OpenIncident[]; readonly key: number },
  { status: names, proposal }: Phrases,
): string {
  const incidents = open.map(({ number, status }) =>
    status === 'triggered' ? `INC-${number}` : `INC-${number} (${names[status]})`,
  );
  const example = (open.find(({ status }) => status === 'triggered') ?? open[0])?.number;
  const text = (shown: readonly string[]) => {
    const left = incidents.length - shown.length;
    const all = left === 0 ? shown : [...shown, proposal.more(left)];
    return `${lead} ${proposal.list(all.join(', '), `${key} ${example}`)}`;
  };
  let shown = incidents;
  while (text(shown).length > SEGMENT_LENGTH) shown = shown.slice(0, -1);
  return text(shown);
}
