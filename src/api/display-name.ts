/** A name from code as people say it: `oncall_schedules` are on-call schedules. */
export const displayName = (name: string): string =>
  name.replaceAll('_', ' ').replace('oncall', 'on-call');
