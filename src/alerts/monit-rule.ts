// What tells rules of one kind of a Monit service apart: the address, the path or the resource that
// the message names when the rule fails, and again when it succeeds.

/** Each with what it names in its first group, in the syntax of RE2. */
export const monitRules = [
  '(?:\\bat|\\bto) (\\[[^\\]\\s]*\\]:\\d+\\S*|\\/\\S+)',
  "^(?:'[^']*' )?(.+?)(?: of| count)? [-\\d.]+.* matches resource limit",
  "^(?:'[^']*' )?(.+?) check succeeded",
] as const;

const LONGEST = 1_000;
const compiled = monitRules.map((rule) => new RegExp(rule));

export function monitRule(message: string): string | undefined {
  const text = message.slice(0, LONGEST);
  return compiled.map((rule) => rule.exec(text)?.[1]).find((rule) => rule !== undefined);
}
