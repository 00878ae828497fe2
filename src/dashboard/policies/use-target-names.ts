import { fieldsOf } from '../form/form.ts';
import { type NameOf, useNames } from '../form/picks.ts';
import { resourceOf } from '../records/declared.ts';
import { policies } from './kind.ts';

/** The names of people and schedules. */
export const useTargetNames = (): NameOf => useNames(fieldsOf(resourceOf(policies)));
