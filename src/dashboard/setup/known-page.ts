import { useRouter } from '@tanstack/react-router';

/** Whether this version of the dashboard has the page: what leads nowhere is not shown. */
export function useHasPage(): (path: string) => boolean {
  const { routesByPath } = useRouter();
  return (path) => Object.hasOwn(routesByPath, path);
}
