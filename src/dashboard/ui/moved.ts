/** The list with one of its entries moved by so many places; unchanged where there is no room. */
export function withMoved<One>(list: readonly One[], index: number, steps: number): readonly One[] {
  const to = index + steps;
  if (!(index in list && to in list)) return list;
  return list.toSpliced(index, 1).toSpliced(to, 0, ...list.slice(index, index + 1));
}

export type RowPlace = { readonly top: number; readonly height: number };

const middleOf = ({ top, height }: RowPlace) => top + height / 2;

/** Where a row lands that was dragged down so far: in the place of the last whose middle it passed. */
export function placeAfterDrag(rows: readonly RowPlace[], index: number, by: number): number {
  const row = rows[index];
  if (row === undefined) return index;
  const [top, bottom] = [row.top + by, row.top + row.height + by];
  const passed = (one: RowPlace, at: number) =>
    at < index ? middleOf(one) > top : at > index && middleOf(one) < bottom;
  const count = rows.filter(passed).length;
  return by < 0 ? index - count : index + count;
}
