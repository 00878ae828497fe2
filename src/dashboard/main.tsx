import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { keepLive } from './live/live.ts';
import { registerWorker } from './offline/register.ts';
import { router } from './shell/routes.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
keepLive(queryClient);
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
// What is shown first comes first.
addEventListener('load', () => void registerWorker());
