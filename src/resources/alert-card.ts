// What of an alert is read first, wherever it is shown: what is wrong, then its labels, then the
// rest. Tools send JSON of any form, so names decide.

export type Pair = { readonly name: string; readonly value: string };

/** What is shown beside the details, and need not be said again. */
export type Shown = {
  readonly title?: string;
  readonly hrefs?: readonly string[];
  /** It is over: that the alert said the opposite when it came would mislead. */
  readonly isResolved?: boolean;
};

export type AlertCard = {
  readonly description: Pair | null;
  /** Names are without the path of what holds them. */
  readonly labels: readonly Pair[];
  readonly annotations: readonly Pair[];
  readonly rest: readonly Pair[];
};

/** The first that is there. */
const descriptions = ['description', 'message', 'body', 'summary', 'text'];
const inLabels = /^(?:[^.]+\.){0,2}(?:labels|commonLabels|groupLabels|tags|dimensions)\./;
const inAnnotations = /^(?:[^.]+\.){0,2}(?:annotations|commonAnnotations)\./;
/** The beginning of time, with which tools fill in a date that is not there. */
const zeroDate = /^(?:0001|1970)-01-01[T ]00:00:00(?:\.0+)?(?:Z|\+00:00| UTC)?$/;
const ofState = /(?:^|\.)(?:status|state)$/i;
const ongoing = /^(?:firing|alerting|alarm|triggered|problem|active|open|down)$/i;
/** Shorter ones, such as `true` and `80`, are the same by chance. */
const SHOWN_LENGTH_MIN = 5;

/** Without what is empty or repeated. The names of `pairs` are paths. */
export function alertCard(
  pairs: readonly Pair[],
  { title = '', hrefs = [], isResolved = false }: Shown = {},
): AlertCard {
  const seen = new Set([title, ...hrefs]);
  const isStale = ({ name, value }: Pair) =>
    isResolved && ofState.test(name) && ongoing.test(value.trim());
  const filled = pairs.filter(
    (pair) => isFilled(pair.value) && !seen.has(pair.value) && !isStale(pair),
  );
  const description = descriptionIn(filled);
  if (description !== null) seen.add(description.value);
  const names = new Set<string>();
  const take = (held: RegExp) =>
    filled.flatMap(({ name, value }) => {
      const short = name.replace(held, '');
      if (short === name || seen.has(value) || names.has(`${short}\n${value}`)) return [];
      names.add(`${short}\n${value}`);
      return [{ name: short, value }];
    });
  const labels = take(inLabels);
  for (const { value } of labels) if (value.length >= SHOWN_LENGTH_MIN) seen.add(value);
  const annotations = take(inAnnotations);
  for (const { value } of annotations) if (value.length >= SHOWN_LENGTH_MIN) seen.add(value);
  const rest = filled.filter(
    ({ name, value }) => !inLabels.test(name) && !inAnnotations.test(name) && !seen.has(value),
  );
  return { description, labels, annotations, rest };
}

const isFilled = (value: string) =>
  value.trim() !== '' && value !== 'null' && !zeroDate.test(value);

function descriptionIn(pairs: readonly Pair[]): Pair | null {
  for (const wanted of descriptions) {
    const match = pairs.find(
      ({ name }) => name.replace(inAnnotations, '').toLowerCase() === wanted,
    );
    if (match) return { name: wanted, value: match.value };
  }
  return null;
}
