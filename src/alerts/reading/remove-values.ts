import type { Json } from '../alert.ts';
import { spend } from '../effort.ts';
import { isObject } from '../text.ts';
import { type Path, plainName, type Step } from './path.ts';

/** The value without what stands at the places, also under a name that is written otherwise; what is on the way is copied. */
export function removeValues(value: Json, places: readonly Path[]): Json {
  return places.flat().reduce((rest, { steps }) => removed(rest, steps), value);
}

const MEMBER_WORK = 10;

function removed(value: Json, [step, ...rest]: readonly Step[]): Json {
  if (step === undefined) return value;
  // Which element it is does not matter: secrets stand in all of them.
  if (!('name' in step)) return Array.isArray(value) ? elements(value, rest) : removed(value, rest);
  if (Array.isArray(value)) return value.map((one) => removed(one, [step, ...rest]));
  if (!isObject(value)) return value;
  const wanted = plainName(step.name);
  const entries = Object.entries(value);
  spend(MEMBER_WORK * (entries.length + 1));
  const members = entries.flatMap(([name, inner]): [string, Json][] => {
    if (plainName(name) !== wanted) return [[name, inner]];
    return rest.length === 0 ? [] : [[name, removed(inner, rest)]];
  });
  return Object.fromEntries(members);
}

const elements = (list: readonly Json[], rest: readonly Step[]): Json =>
  rest.length === 0 ? [] : list.map((one) => removed(one, rest));
