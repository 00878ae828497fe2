// The page that an incident's link leads to until there is a dashboard: what it is, and its story.
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Incident } from '../../incidents/incident.ts';
import { whyPaged } from '../../incidents/why/why.ts';
import { queryLimits } from '../../limits/queries.ts';
import { escaped } from '../../notices/words/html.ts';
import type { Sql } from '../../storage/database.ts';
import { findIncident } from '../../storage/incidents/incidents.ts';
import { findPerson, readStory } from '../../storage/incidents/story.ts';
import { listTimeline, type TimelineRow } from '../../storage/incidents/timeline.ts';
import { keyOf } from '../../storage/records/queries.ts';
import { type IncidentRemovals, removalsOf } from '../../storage/retention/removals.ts';
import { Refusal } from '../failures.ts';
import { timeOrNull } from '../incidents/render.ts';
import { API_PREFIX } from '../route.ts';
import type { Accounts } from '../sign-in/accounts.ts';
import { signInPath } from '../sign-in/return-path.ts';
import { htmlPage } from './page.ts';

type PageParts = { readonly sql: Sql; readonly accounts: Accounts };

export function mountIncidentPage(app: FastifyInstance, { sql, accounts }: PageParts): void {
  app.get('/incidents/:id', async (request, reply) => {
    const session = await accounts.session(request.headers.cookie, { refresh: false });
    if (session === null) return reply.redirect(signInPath(request.url), 303);
    const organizationId = session.person.organization_id;
    const key = keyOf((request.params as { id: string }).id);
    const incident = key && (await findIncident(sql, { organizationId, teamIds: null }, key));
    if (!incident) throw new Refusal('not_found');
    const on = { organizationId, incidentId: incident.id };
    const rows = await listTimeline(sql, on, { limit: queryLimits.pageShifts, after: null });
    const person = await findPerson(sql, organizationId, session.person.id);
    const { timeline: removed } = await removalsOf(sql, on);
    const answer = person && whyPaged(await readStory(sql, incident, person)).answer;
    return show(reply, incident, { rows, removed, answer });
  });
}

type IncidentStory = {
  readonly rows: readonly TimelineRow[];
  readonly removed: IncidentRemovals['timeline'];
  readonly answer: string | null;
};

function show(reply: FastifyReply, incident: Incident, { rows, removed, answer }: IncidentStory) {
  const facts = [
    incident.status,
    incident.priority,
    incident.severity,
    `opened ${timeOrNull(incident.created_at)}`,
  ];
  const story = rows.map(
    (row) => `<li><time>${timeOrNull(row.at)}</time> ${escaped(row.text)}</li>`,
  );
  const gone = removed
    ? `<p>The first ${removed.entries} entries were removed at ${timeOrNull(removed.at)}, after the time that the organisation keeps them.</p>`
    : '';
  const details =
    typeof incident.details === 'string'
      ? incident.details
      : JSON.stringify(incident.details, null, 2);
  return htmlPage(reply, {
    title: `INC-${incident.number}`,
    body: `<p>${escaped(incident.title)}</p>
<p>${escaped(facts.filter(Boolean).join(' · '))}</p>
${incident.details === null ? '' : `<pre>${escaped(details)}</pre>`}
<h2>Why was I (not) paged?</h2>
<p>${escaped(answer ?? '')} <a href="${API_PREFIX}/incidents/${incident.number}/why">What led to it</a></p>
<h2>Timeline</h2>${gone}<ol>${story.join('')}</ol>`,
  });
}
