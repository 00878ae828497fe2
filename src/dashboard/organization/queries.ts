import { queryOptions } from '@tanstack/react-query';
import { readBody } from '../api/pager.ts';
import type { Organization } from './organization.ts';

/** Below the session's key: a hint of a change makes both stale. */
export const organizationQuery = queryOptions({
  queryKey: ['session', 'organization'],
  queryFn: () => readBody<Organization>('/organization'),
});

/** What is read anew after a save. */
export const staleSettings = [['session'], ['attention'], ['quota'], ['audit-log']] as const;
