// Rules about several fields of a connection, as its vendor declares them.
import type { Problem } from '../declaration/resource.ts';
import type { FieldRule } from './vendor.ts';

/** Of fields that are set by their paths, such as `settings.from_phone`. */
export const ruleProblems = (
  rules: readonly FieldRule[],
  isSet: (path: string) => boolean,
): readonly Problem[] => rules.flatMap((rule) => problemsOf(rule, isSet));

function problemsOf({ set, of }: FieldRule, isSet: (path: string) => boolean): readonly Problem[] {
  const present = of.filter(isSet);
  const absent = of.filter((path) => !isSet(path));
  const [first = ''] = of;
  switch (set) {
    case 'all_or_none':
      if (present.length === 0) return [];
      return absent.map((path) => ({ path, message: `is required with ${listed(present)}` }));
    case 'one_at_most':
      return present
        .slice(1)
        .map((path) => ({ path, message: `cannot be combined with ${present[0]}` }));
    case 'one_at_least':
      if (present.length > 0) return [];
      return [{ path: first, message: `is required, or ${listed(of.slice(1), 'or')}` }];
  }
}

const listed = (paths: readonly string[], word = 'and') => paths.join(` ${word} `);
