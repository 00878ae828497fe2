import { useQuery } from '@tanstack/react-query';
import { mayAct, type Role } from '../../resources/roles.ts';
import { sessionQuery } from './queries.ts';

/** Whether the signed-in person may do what needs this role; not before it is known who that is. */
export function useMay(needed: Role): boolean {
  const { data } = useQuery(sessionQuery);
  return data !== undefined && mayAct(data.user, needed);
}
