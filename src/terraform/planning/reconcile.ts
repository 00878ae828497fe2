// What Terraform keeps of an answer, so that only a true difference looks like one.
import { isSameTime } from '../../client/own-write.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { fieldOf, isList, isObject } from '../convert.ts';
import { Unknown, type Value } from '../protocol/value.ts';

/** After a write: what was planned stays, and the answer says what was not known. */
export function reconcile(planned: Value, answered: Value): Value {
  if (planned instanceof Unknown) return answered;
  if (isList(planned)) {
    const members = isList(answered) && answered.length === planned.length ? answered : [];
    return planned.map((one, index) => reconcile(one, members[index] ?? null));
  }
  if (!isObject(planned)) return planned;
  return Object.fromEntries(
    Object.entries(planned).map(([name, one]) => [name, reconcile(one, fieldOf(answered, name))]),
  );
}

/** After a read: the answer. Of what was written it lacks only the members of maps that are null. */
export function refresh(prior: Value, answered: Value): Value {
  if (!isObject(prior) || !isObject(answered)) return answered;
  const unset = Object.entries(prior).filter(
    ([name, one]) => one === null && !Object.hasOwn(answered, name),
  );
  const read = Object.entries(answered).map(([name, one]): [string, Value] => [
    name,
    refresh(fieldOf(prior, name), one),
  ]);
  return Object.fromEntries([...read, ...unset]);
}

/** The API writes times in UTC, and a configuration as it likes: one that is the same stays. */
export function withTimesAsBefore({ input }: Resource, prior: Value, now: Value): Value {
  if (!isObject(now)) return now;
  const times = Object.entries(now).map(([name, is]): [string, Value] => {
    const was = fieldOf(prior, name);
    return [name, isSameTime(input.properties[name], was, is) ? was : is];
  });
  return Object.fromEntries(times);
}
