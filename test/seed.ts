// Random tests are the same in every run, so that a red one is about the change at hand; `npm test`
// with PAGER_TEST_SEED set to a number, or to `random`, looks elsewhere.
import fc from 'fast-check';

export const seed = Number(process.env['PAGER_TEST_SEED'] ?? 1);

fc.configureGlobal({ seed });
