import type { Incident } from '../../incidents/incident.ts';
import { nextTimer } from '../../incidents/next.ts';
import { sendingLimits } from '../../limits/sending.ts';
import type { IncidentNotice, Notice } from '../../notices/notice.ts';
import { detailsOf } from '../../notices/words/details.ts';
import { timeOf } from '../../notices/words/incident.ts';
import { nextText } from '../../notices/words/next.ts';
import { incidentRole, mayAct } from '../../resources/roles.ts';
import { stepMinutesOf } from './attempt-result.ts';
import type { ClaimedIncidentNotice, ClaimedPersonalNotice } from './claimed.ts';

export type ComposeOptions = {
  readonly publicUrl: string;
  /** The address of a page that asks for confirmation. */
  readonly linkFor: (claimed: ClaimedIncidentNotice, action: 'acknowledge' | 'resolve') => string;
  /** What a button carries that does this. */
  readonly handleFor: (incident: Incident, action: ButtonAction) => string;
};

type ButtonAction = keyof NonNullable<IncidentNotice['handles']>;

/** The notice that the channels render, with its subject as it is now. */
export function compose(claimed: ClaimedPersonalNotice, options: ComposeOptions): Notice {
  switch (claimed.about) {
    case 'incident':
      return incidentNotice(claimed, options);
    case 'shift': {
      const { about, kind, story, user_id } = claimed;
      return {
        ...envelopeOf(claimed),
        about,
        kind,
        story,
        isPersonal: user_id !== null,
        url: `${options.publicUrl}/on-calls/${story.schedule.id}`,
      };
    }
    case 'usage': {
      const { about, kind, usage } = claimed;
      return { ...envelopeOf(claimed), about, kind, usage };
    }
    case 'webhook': {
      const { about, kind, failing: webhook } = claimed;
      return { ...envelopeOf(claimed), about, kind, webhook };
    }
    case 'connection': {
      const { about, kind, connection } = claimed;
      const url = `${options.publicUrl}/settings/channels/${connection.id}`;
      return { ...envelopeOf(claimed), about, kind, connection, url };
    }
    case 'channel': {
      const { about, kind, failing } = claimed;
      const url = `${options.publicUrl}/settings/channels`;
      return { ...envelopeOf(claimed), about, kind, failing, url };
    }
    case 'undecided': {
      const { about, kind, undecided } = claimed;
      return { ...envelopeOf(claimed), about, kind, undecided };
    }
    case 'lost_contact': {
      const { about, kind, lost } = claimed;
      const page = lost.person === null ? 'me' : `users/${lost.person.id}`;
      const url = `${options.publicUrl}/${page}`;
      return { ...envelopeOf(claimed), about, kind, lost, url };
    }
  }
}

/** The recipient of a notice, and why they get it. */
const envelopeOf = (claimed: ClaimedPersonalNotice) => ({
  key: claimed.key,
  organization: { id: claimed.organization_id, name: claimed.organizationName },
  ...(claimed.recipient !== null && { recipient: claimed.recipient }),
  ...(claimed.route !== undefined && { route: claimed.route }),
  ...(claimed.mention !== null && { mention: claimed.mention }),
  why: claimed.why,
  timezone: claimed.timezone,
});

function incidentNotice(claimed: ClaimedIncidentNotice, options: ComposeOptions): IncidentNotice {
  const { incident, role, timezone, step } = claimed;
  const next = nextOf(incident, timezone);
  const stepMinutes = stepMinutesOf(claimed);
  const isAllowed = role === null || mayAct({ role }, incidentRole);
  return {
    ...envelopeOf(claimed),
    about: 'incident',
    kind: claimed.kind,
    incident: {
      id: incident.id,
      number: incident.number,
      title: incident.title,
      status: incident.status,
      ...(incident.priority !== null && { priority: incident.priority }),
      ...(incident.severity !== null && { severity: incident.severity }),
      service: claimed.serviceName,
      ...detailsIn(incident.details),
      links: incident.links,
      url: `${options.publicUrl}/incidents/${incident.number}`,
      created_at: incident.created_at,
      ...(next !== '' && { next }),
    },
    ...(claimed.kind === 'page' && step > 0 && { unansweredSteps: step }),
    ...(stepMinutes !== undefined && { stepMinutes }),
    ...(claimed.otherStorms && { otherStorms: claimed.otherStorms }),
    ...(!isAllowed && { readOnlyRole: role }),
    ...(isAllowed &&
      incident.status !== 'resolved' && {
        links: {
          acknowledge: options.linkFor(claimed, 'acknowledge'),
          resolve: options.linkFor(claimed, 'resolve'),
        },
        handles: {
          acknowledge: options.handleFor(incident, 'acknowledge'),
          resolve: options.handleFor(incident, 'resolve'),
          escalate: options.handleFor(incident, 'escalate'),
          unacknowledge: options.handleFor(incident, 'unacknowledge'),
          webhook: options.handleFor(incident, 'webhook'),
          playbook: options.handleFor(incident, 'playbook'),
        },
      }),
  };
}

/** What its timers do, which are all that is known without whom the policy names. */
function nextOf(incident: Incident, timezone: string): string {
  return nextText(incident, nextTimer(incident), (instant) => timeOf(instant, timezone));
}

/** Names and values, and the same as text for what shows no tables. */
function detailsIn(details: unknown): Pick<IncidentNotice['incident'], 'details' | 'rows'> {
  const { rows, left, text } = detailsOf(details);
  const lines = rows.map(({ name, value }) => `${name}: ${value}`);
  const all =
    rows.length === 0 ? text : [...lines, ...(left === 0 ? [] : [`and ${left} more`])].join('\n');
  const cut = all.length > sendingLimits.details;
  const written = cut ? `${all.slice(0, sendingLimits.details)}…`.toWellFormed() : all;
  return { details: written, ...(!cut && left === 0 && rows.length > 0 && { rows }) };
}
