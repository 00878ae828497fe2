import { flagParameter, readPaging, readQuery, wrongCursor } from '../records/list-query.ts';
import type { Call } from '../route.ts';
import { isId } from './writing.ts';

export function readPage(call: Call): { organizationId: string; after: string; limit: number } {
  const { limit, cursor } = readPaging(call.query);
  if (cursor !== null && !isId(cursor)) throw wrongCursor();
  return { organizationId: call.caller.organizationId, after: cursor ?? '', limit };
}

export function readFlag(call: Call, name: string): boolean | undefined {
  const { [name]: value } = readQuery({ [name]: flagParameter('') }, call);
  return value;
}
