import type { Faults } from '../src/engine/faults.ts';

/** Where nothing may fail. */
export const noFaults: Faults = ({ of, id, error }) => {
  throw new Error(`the ${of} ${id} failed`, { cause: error });
};
