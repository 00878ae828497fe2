// What only the bar of selected incidents says, which comes with it.
import { list } from './words.ts';

export const bulkWords = {
  selected: 'Selected incidents',
  selectAll: (count: number) => `Select all ${count}`,
  selectedCount: (count: number) => `${count} selected`,
  mute: 'Mute',
  escalate: 'Escalate',
  merge: 'Merge',
  survivor: 'Which incident stays open?',
  othersEnd: (count: number) =>
    count === 1
      ? 'The other incident is closed, and its alerts go to this one.'
      : `The other ${count} are closed, and their alerts go to this one.`,
  mergeInto: (count: number, number: number) => `Merge ${count} into INC-${number}`,
  pages: (names: readonly string[]) => `Pages ${list().format(names)} now.`,
  pagesNobody: 'Nobody will be paged.',
  endsAcknowledgements: (count: number) =>
    count === 1
      ? 'This ends the acknowledgement of 1 incident.'
      : `This ends the acknowledgements of ${count} incidents.`,
  escalateAll: (count: number) => `Escalate ${count} now`,
  close: 'Close',
  results: (done: number, others: number) =>
    others === 0 ? `${done} done.` : `${done} done, ${others} failed:`,
} as const;
