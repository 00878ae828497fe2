import { useQuery } from '@tanstack/react-query';
import { mayAct, type Role } from '../../resources/roles.ts';
import { sessionQuery } from './queries.ts';

/** Whether the signed-in person may do what needs this role; undefined: it is not known yet who that is. */
export function useMay(needed: Role): boolean | undefined {
  const { data } = useQuery(sessionQuery);
  return data && mayAct(data.user, needed);
}
