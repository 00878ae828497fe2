import type { Json, JsonObject } from '../alert.ts';
import { isObject } from '../text.ts';
import type { Path, Step } from './path.ts';

/** The value without what stands at the places; what is on the way is copied. */
export function without(value: Json, places: readonly Path[]): Json {
  return places.flat().reduce((rest, { steps }) => removed(rest, steps), value);
}

function removed(value: Json, [step, ...rest]: readonly Step[]): Json {
  if (step === undefined || !('name' in step)) return value;
  if (Array.isArray(value)) return value.map((one) => removed(one, [step, ...rest]));
  if (!isObject(value) || !Object.hasOwn(value, step.name)) return value;
  const { [step.name]: inner = null, ...others } = value;
  if (rest.length === 0) return others;
  const changed: JsonObject = { ...value, [step.name]: removed(inner, rest) };
  return changed;
}
