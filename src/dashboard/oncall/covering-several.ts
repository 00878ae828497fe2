// A stretch of days, shift by shift: its rows, and the overrides that what is picked in them makes.
import type { Problem } from '../../resources/declaration/resource.ts';
import type { Span } from './axis.ts';
import type { Bar } from './bar.ts';
import { instantAt, wallAt } from './clock.ts';
import { NOBODY, spanIn } from './covering.ts';

const WEEK = 7 * 86_400_000;

type Around = { readonly now: number; readonly timezone: string };

/** From the text of an address; what is missing is from now on, for a week by the clock. */
export const stretchOf = (covers: string, { now, timezone }: Around): Span =>
  spanIn(covers, now, (start) => instantAt(timezone, wallAt(timezone, start) + WEEK));

/** A shift or a gap, as far as it is in the stretch. */
export type StretchRow = Span & {
  /** The same however the stretch cuts it. */
  readonly key: string;
  /** Who is on call; null: nobody. */
  readonly userId: string | null;
  readonly kind: Bar['kind'];
};

/** In order; what is over cannot be covered. */
export const rowsOf = (bars: readonly Bar[], stretch: Span, now: number): readonly StretchRow[] =>
  bars
    .map((bar) => ({
      key: `${bar.userId ?? NOBODY} ${bar.whole.start}`,
      userId: bar.userId ?? null,
      kind: bar.kind,
      start: Math.max(bar.start, stretch.start),
      end: Math.min(bar.end, stretch.end),
    }))
    .filter(({ start, end }) => end > start && end > now);

/** Picked in a row: it stays as it is. */
export const STAYS = 'stays';

/** Who takes over, by the keys of rows: the id of a person, or NOBODY. Other rows stay as they are. */
export type Picks = ReadonlyMap<string, string>;

export function withPick(picks: Picks, key: string, picked: string): Picks {
  const next = new Map(picks);
  if (picked === STAYS || picked === '') next.delete(key);
  else next.set(key, picked);
  return next;
}

/** Whose rows can be set at once, each once. What nobody has by design is not meant to be covered. */
export const holdersIn = (rows: readonly StretchRow[]): readonly string[] => [
  ...new Set(rows.filter(({ kind }) => kind !== 'by design').map(holderOf)),
];

const holderOf = ({ userId }: StretchRow): string => userId ?? NOBODY;

type AllOf = { readonly of: string; readonly to: string };

/** The rows of one person, or those of nobody, set to another at once. */
export const withAllOf = (picks: Picks, rows: readonly StretchRow[], { of, to }: AllOf): Picks =>
  rows
    .filter((row) => row.kind !== 'by design' && holderOf(row) === of && of !== to)
    .reduce((next, { key }) => withPick(next, key, to), picks);

export type Cover = Span & {
  /** Those that it covers; the first has its problems. */
  readonly rows: readonly StretchRow[];
  /** Null: nobody. */
  readonly userId: string | null;
  readonly replaces: string | null;
};

/** Neighbours in which the same person takes over from the same person are one. */
export function coversOf(rows: readonly StretchRow[], picks: Picks): readonly Cover[] {
  const covers: Cover[] = [];
  for (const row of rows) {
    const picked = picks.get(row.key);
    if (picked === undefined) continue;
    const userId = picked === NOBODY ? null : picked;
    const last = covers.at(-1);
    const isNeighbour =
      last?.end === row.start && last.userId === userId && last.replaces === row.userId;
    if (isNeighbour) covers.splice(-1, 1, { ...last, end: row.end, rows: [...last.rows, row] });
    else covers.push({ ...row, rows: [row], userId, replaces: row.userId });
  }
  return covers;
}

/** As the API takes it. */
export const overrideOf = ({ userId, replaces, start, end }: Cover) => ({
  user_id: userId,
  ...(replaces !== null && { replaces_user_id: replaces }),
  start: new Date(start).toISOString(),
  end: new Date(end).toISOString(),
});

/** The number of the override that a problem is about. */
export function numberIn(path: string): number | null {
  const [, index] = /^overrides\[(\d+)\]/.exec(path) ?? [];
  return index === undefined ? null : Number(index);
}

/** Of the last save: what a row was called in it. Others are not known to the API. */
export function nameOf({ key }: StretchRow, sent: readonly Cover[]): string {
  const index = sent.findIndex(({ rows }) => rows[0]?.key === key);
  return index === -1 ? `shift ${key}` : pickerOf(index);
}

const pickerOf = (index: number): string => `overrides[${index}].user_id`;

type Sent = { readonly sent: readonly Cover[]; readonly picks: Picks };

/** What the API refused, at the picker of its row; what is picked anew since is corrected. */
export const issuesAt = (issues: readonly Problem[], { sent, picks }: Sent): readonly Problem[] =>
  issues.flatMap((issue): readonly Problem[] => {
    const index = numberIn(issue.path);
    if (index === null) return [issue];
    if (issue.path.endsWith('.comment')) return [{ ...issue, path: 'comment' }];
    const cover = sent[index];
    const picked = picks.get(cover?.rows[0]?.key ?? '');
    if (picked !== (cover?.userId ?? NOBODY)) return [];
    return [{ ...issue, path: pickerOf(index) }];
  });
