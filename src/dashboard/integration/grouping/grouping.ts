// How alerts of an integration are grouped, as its form and its page show it.

import { isObject } from '../../../resources/declaration/is-object.ts';
import { detailPathIn, detailsPrefix } from '../../../resources/detail-path.ts';
import { sendsGroups } from '../../../resources/grouping-types.ts';
import { spanText } from '../../../resources/plural.ts';
import { words } from './words.ts';

export const ways = ['none', 'group', 'values'] as const;
export type Way = (typeof ways)[number];

/** Of a record or a draft; what is absent groups nothing. */
export function valuesOf(grouping: unknown): readonly string[] {
  const by = isObject(grouping) ? grouping['by'] : undefined;
  return Array.isArray(by) ? by.map(String) : [];
}

export function wayOf(by: readonly string[]): Way {
  if (by.length === 0) return 'none';
  return by.length === 1 && by[0] === 'group' ? 'group' : 'values';
}

/** A tool's own groups can only be chosen where it sends them, or where they are chosen already. */
export const waysFor = (slug: string, by: readonly string[]): readonly Way[] =>
  ways.filter((way) => way !== 'group' || sendsGroups(slug) || wayOf(by) === 'group');

/** What it groups by once a way is chosen. */
export const byOfWay: Readonly<Record<Way, readonly string[]>> = {
  none: [],
  group: ['group'],
  values: ['title'],
};

const names = ['service', 'title', 'severity', 'priority'] as const;

/** A value that is chosen from a list; one inside the details has a path too. */
export type Picked = { readonly pick: string; readonly path: string | null };

export function pickedOf(value: string): Picked {
  const path = detailPathIn(value);
  return { pick: path === null ? value : detailsPrefix, path };
}

export const valueOfPath = (path: string): string => `${detailsPrefix}${path}`;

type Offered = {
  /** Whether tools send groups of their own. */
  readonly hasGroups: boolean;
  readonly by: readonly string[];
};

const namesFor = ({ hasGroups }: Pick<Offered, 'hasGroups'>) =>
  hasGroups ? ['group', ...names] : names;

/** The details can be chosen more than once, each with its own path. */
export function picksFor({ hasGroups, by }: Offered, index: number) {
  const known = [...namesFor({ hasGroups }), detailsPrefix];
  const chosen = by.map((one) => pickedOf(one).pick);
  const own = chosen[index] ?? '';
  return [...new Set([...known, own])].map((value) => ({
    value,
    text: words.values[value] ?? value,
    isDisabled: value !== own && value !== detailsPrefix && chosen.includes(value),
  }));
}

/** The value of another row. */
export const nextValue = ({ hasGroups, by }: Offered): string =>
  namesFor({ hasGroups }).find((one) => !by.includes(one)) ?? detailsPrefix;

/** In a sentence. */
export const nameOf = (value: string): string => {
  const { pick, path } = pickedOf(value);
  return path === null ? (words.named[pick] ?? pick) : path;
};

/** As a sentence, on the page of the integration. */
export function groupingText(grouping: unknown, isSuppressionDisabled: boolean): string {
  if (isSuppressionDisabled) return words.offText;
  const by = valuesOf(grouping);
  if (by.length === 0) return words.noneText;
  const window = isObject(grouping) ? grouping['window'] : undefined;
  const span = isSpan(window) ? spanText(window) : null;
  return words.text(wayOf(by) === 'group' ? null : by.map(nameOf), span);
}

const isSpan = (value: unknown): value is { after: number; unit: string } =>
  isObject(value) && typeof value['after'] === 'number' && typeof value['unit'] === 'string';
