import { capitalised } from './sentence.ts';

/** Two letters that stand for a name where it has no picture: `Amazon CloudWatch` is AC. */
export function monogramOf(name: string): string {
  const [first = '', second] = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const letters = second === undefined ? first.slice(0, 2) : `${first.at(0)}${second.at(0)}`;
  return capitalised(letters);
}
