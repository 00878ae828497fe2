/** The list with one of its entries moved; unchanged where there is no room. */
export function withMoved<One>(list: readonly One[], index: number, step: 1 | -1): readonly One[] {
  const [one, other] = [list[index], list[index + step]];
  if (one === undefined || other === undefined) return list;
  return list.with(index, other).with(index + step, one);
}
