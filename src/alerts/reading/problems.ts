// What is wrong with the forms of a mapping, beyond their shape, each at its path.
import { compileForm } from './form.ts';
import type { Form, Words } from './notation.ts';
import { NotationError } from './notation-error.ts';
import { pathOf } from './path.ts';
import { listOf, stateOf } from './rules.ts';
import { keyFrom, lineFrom } from './texts.ts';

type Problem = { readonly path: string; readonly message: string };

const LONGEST_LINK_NAME = 100;

const places = ['until', 'omit'] as const;
const texts = ['title', 'name', 'message'] as const;
const rules = ['severity', 'priority'] as const;

export function mappingProblems(forms: readonly Form[]): readonly Problem[] {
  return forms.flatMap((form, index) => formProblems(form, `forms[${index}]`));
}

function formProblems(form: Form, at: string): readonly Problem[] {
  const { when = [], each, key = [], state = [], links = {} } = form;
  const isWritten = (name: keyof Form) => form[name] !== undefined;
  const isEmpty = !(['title', 'name', 'message', 'key', 'state', ...rules] as const).some(
    isWritten,
  );
  return [
    ...(isEmpty
      ? [
          {
            path: at,
            message:
              'must have at least one of title, name, message, key, state, severity, priority',
          },
        ]
      : []),
    ...when.flatMap((one, i) => problemOf(`${at}.when[${i}]`, () => compileForm({ when: [one] }))),
    ...(each === undefined ? [] : problemOf(`${at}.each`, () => pathOf(each))),
    ...texts.flatMap((name) =>
      listOf(form[name]).flatMap((one, i) => problemOf(`${at}.${name}[${i}]`, () => lineFrom(one))),
    ),
    ...key.flatMap((parts, i) =>
      parts.flatMap((one, j) => problemOf(`${at}.key[${i}][${j}]`, () => keyFrom([[one]]))),
    ),
    ...state.flatMap((rule, i) => ruleProblems(rule, `${at}.state[${i}]`)),
    ...rules.flatMap((name) => ruleProblems(form[name], `${at}.${name}`)),
    ...Object.keys(links).flatMap((text) =>
      text.trim() === '' || text.length > LONGEST_LINK_NAME
        ? [
            {
              path: `${at}.links`,
              message: `must have names of 1 to ${LONGEST_LINK_NAME} characters`,
            },
          ]
        : [],
    ),
    ...Object.entries(links).flatMap(([text, listed]) =>
      listOf(listed).flatMap((one, i) => problemOf(`${at}.links.${text}[${i}]`, () => pathOf(one))),
    ),
    ...places.flatMap((name) =>
      listOf(form[name]).flatMap((one, i) => problemOf(`${at}.${name}[${i}]`, () => pathOf(one))),
    ),
  ];
}

/** A rule, not places alone. */
type Rule = { readonly at: string | readonly string[]; readonly else?: string };

function ruleProblems(rule: object | string | undefined, at: string): readonly Problem[] {
  if (rule === undefined || typeof rule === 'string' || Array.isArray(rule)) return [];
  // Its shape was checked: beside its places and `else` it has words alone.
  const { at: listed, else: _otherwise, ...words } = rule as Rule;
  return [
    ...listOf<string>(listed).flatMap((one, i) => problemOf(`${at}.at[${i}]`, () => pathOf(one))),
    ...Object.entries<Words>(words).flatMap(([meaning, one]) =>
      problemOf(`${at}.${meaning}`, () => stateOf([{ at: 'a', trigger: one }])),
    ),
  ];
}

function problemOf(path: string, compile: () => unknown): readonly Problem[] {
  try {
    compile();
    return [];
  } catch (error) {
    if (error instanceof NotationError) return [{ path, message: error.message }];
    throw error;
  }
}
