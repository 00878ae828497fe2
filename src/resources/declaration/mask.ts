import type { TSchema } from 'typebox';
import { mapSensitive } from './map-text.ts';

/** Stands where a secret would be, for readers who may not have it. */
export const MASK = '•••';

/** The value without its secrets. */
export const masked = (schema: TSchema, value: unknown) => mapSensitive(schema, value, () => MASK);
