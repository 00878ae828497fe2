import './read-ahead.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient, sessionQuery } from './api/queries.ts';
import { firstList } from './incidents/first-list.ts';
import { incidentsQuery } from './incidents/queries.ts';
import { queryOf } from './incidents/tabs.ts';
import { keepLive } from './live/live.ts';
import { registerWorker } from './offline/register.ts';
import { attentionQuery } from './setup/queries.ts';
import { IncidentPage, router } from './shell/routes.tsx';
import { whenIdle } from './ui/idle.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
void takeFirst();
keepLive(queryClient);
// Later than what is run: text is there without it.
void document.fonts.load('1em "Hanken Grotesk"');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
// What is shown first comes first.
addEventListener('load', () => {
  void registerWorker();
  void import('./me/push-renewal.ts').then(
    ({ keepSubscribed }) => keepSubscribed(),
    () => {},
  );
});
whenIdle(() => void IncidentPage.preload?.());

/** What was read ahead is there when the first page is made. */
async function takeFirst(): Promise<void> {
  const session = await queryClient.fetchQuery(sessionQuery).catch(() => null);
  const scope = session && firstList(session.teams);
  if (!scope) return;
  void queryClient.prefetchInfiniteQuery(incidentsQuery(queryOf(scope, session.user.id)));
  void queryClient.prefetchQuery(attentionQuery(scope.team));
}
