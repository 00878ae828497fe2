// `mock_provider` of `terraform test` makes up ids of its own: eight letters and digits. Only a
// provider that is not configured meets them; one that is configured reads ids from the API.
import type { Problem } from '../../resources/declaration/resource.ts';
import { notAnId } from '../../resources/declaration/validate.ts';
import { fieldOf, isList } from '../convert.ts';
import type { Value } from '../protocol/value.ts';

const madeUp = /^[a-z0-9]{8}$/;

export const isMockedId = (config: Value, { path, message }: Problem): boolean =>
  message === notAnId && madeUp.test(String(valueAt(config, path)));

const valueAt = (config: Value, path: string): Value =>
  path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce((at, step) => (isList(at) ? (at[Number(step)] ?? null) : fieldOf(at, step)), config);
