// Asks for what the first page shows while most of the dashboard is still on its way, which takes the
// answers when it is there. Without anything that it can do without, so that it comes first.
import type { Session } from '../client/browser.ts';
import { sendEarly } from './api/early.ts';
import { firstList } from './incidents/first-list.ts';
import { pageOf, queryOf } from './incidents/tabs.ts';
import { ofTeams } from './shell/team-scope.ts';

/** What fails is read again, and told, by the page. */
readAhead().catch(() => {});

if (/^\/incidents\/\d+$/.test(location.pathname)) import('./incident/page.tsx').catch(() => {});

async function readAhead(): Promise<void> {
  // With `no-store` a browser does not take what the head has preloaded. The server itself says that
  // nothing of it is stored.
  const { status, text } = await sendEarly('/auth/session', {}, 'default');
  if (status !== 200) return;
  const { user, teams }: Session = JSON.parse(text);
  const scope = firstList(teams);
  if (scope === null) return;
  void sendEarly('/api/v1/incidents', pageOf(queryOf(scope, user.id) ?? {}, null));
  void sendEarly('/api/v1/attention', ofTeams(scope.team));
}
