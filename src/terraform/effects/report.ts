// One warning for the effects of all changes of a plan, which fits a screen unless coverage is lost.
import { displayName } from '../../resources/declaration/resource.ts';
import { type Diagnostic, warningDiagnostic } from '../diagnostics.ts';
import { byWeight, type ChangeEffects, isLoss, losesCoverage, rankOf } from './change-effects.ts';
import { countedEffects, isForNobody } from './counts.ts';

/** `all`: with every effect of every record. */
export type Detail = 'summary' | 'all';

type Options = {
  readonly detail: Detail;
  /** Its name. Absent: it is not known. */
  readonly organization?: string | undefined;
};

/** A screen has 40 lines, and Terraform writes 8 around the text. */
const SCREEN_LINES = 32;
/** Terraform wraps at 78 when its output is no terminal, between words. */
const LINE_LENGTH = 70;
/** As many of the gravest are detailed. */
const DETAILED = 10;

export function reportEffects(changes: readonly ChangeEffects[], options: Options): Diagnostic[] {
  const ordered = byWeight(changes);
  const shown = ordered.filter(({ effects }) => effects.length > 0);
  return [...effectsReport(shown, options), ...unknownReport(ordered)];
}

function effectsReport(
  changes: readonly ChangeEffects[],
  { detail, organization }: Options,
): Diagnostic[] {
  const [first] = changes;
  if (first === undefined) return [];
  if (changes.length === 1) {
    const { title, path } = first;
    const summary = `${title}${placeText(organization)}`;
    return [warningDiagnostic({ summary, detail: messagesOf(first), path })];
  }
  const whole = changes.map((one) => `${one.title}:\n${messagesOf(one)}`).join('\n\n');
  const isShort = linesIn(whole) <= SCREEN_LINES;
  const summary = summaryOf(first, { changes, organization });
  if (isShort) return [warningDiagnostic({ summary, detail: whole })];
  const counted = countedEffects(changes);
  const texts =
    detail === 'all' ? [...counted, whole] : [...counted, ...summarized(changes, counted)];
  return [warningDiagnostic({ summary, detail: texts.join('\n\n') })];
}

const messagesOf = ({ effects }: ChangeEffects): string =>
  effects.map(({ message }) => message).join('\n');

/** Two provider blocks may make the same changes, in two organizations. */
const placeText = (organization: string | undefined): string =>
  organization === undefined ? '' : ` in ${JSON.stringify(organization)}`;

type Summarized = Pick<Options, 'organization'> & { readonly changes: readonly ChangeEffects[] };

/** Terraform shows only the first of warnings with the same summary, so it names a record. */
function summaryOf(first: ChangeEffects, { changes, organization }: Summarized): string {
  const lost = changes.filter(losesCoverage).length;
  const named = `${displayName(first.kind)} ${JSON.stringify(first.name)}`;
  const effects = `Effects of ${changes.length} changes${placeText(organization)} (${named} and ${changes.length - 1} more)`;
  return lost > 0 ? `${effects}: coverage is lost in ${lost}` : effects;
}

/** The gravest in detail, in one line each, or two; where coverage is lost, in full. */
function summarized(
  changes: readonly ChangeEffects[],
  counted: readonly string[],
): readonly string[] {
  const weighty = changes.filter(({ effects }) => !effects.every(isForNobody)).slice(0, DETAILED);
  const left = SCREEN_LINES - linesIn(counted.join('\n\n')) - 4;
  const withTwoLines = left - weighty.length;
  const details = weighty.map((one, index) =>
    shortened(one, (index < withTwoLines ? 2 : 1) * LINE_LENGTH),
  );
  return [
    ...(details.length > 0 ? [details.join('\n')] : []),
    'To see all effects, set effects = "all" in the provider block.',
  ];
}

function shortened(change: ChangeEffects, length: number): string {
  const { kind, name, effects } = change;
  const ranked = effects
    .filter((one) => !isForNobody(one))
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  const losses = ranked.filter(isLoss).map(({ message }) => message);
  const others = ranked.filter((one) => !isLoss(one)).map(({ message }) => message);
  const text = [`- ${displayName(kind)} ${JSON.stringify(name)}:`, ...losses].join(' ');
  const rest = others.join(' ');
  const room = length - text.length - 1;
  if (rest.length <= room) return [text, rest].filter(Boolean).join(' ');
  return room > 20 ? `${text} ${rest.slice(0, room - 1)}…` : text;
}

/** Why, once for each reason. */
function unknownReport(changes: readonly ChangeEffects[]): Diagnostic[] {
  const reasons = new Map<string, number>();
  for (const { unknown } of changes)
    if (unknown !== undefined) reasons.set(unknown, (reasons.get(unknown) ?? 0) + 1);
  if (reasons.size === 0) return [];
  const texts = [...reasons].map(([reason, count]) => `${reason} Changes: ${count}.`);
  const summary = 'The effects of some changes are unknown';
  return [warningDiagnostic({ summary, detail: texts.join('\n') })];
}

const linesIn = (text: string): number =>
  text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE_LENGTH)), 0);
