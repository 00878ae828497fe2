import { sendingLimits } from '../../limits/sending.ts';
import type { IncidentNotice, Notice } from '../../notices/notice.ts';
import type { ClaimedIncidentNotice, ClaimedPersonalNotice } from './claimed.ts';

export type ComposeOptions = {
  readonly publicUrl: string;
  /** The address of a page that asks whether to do it. */
  readonly linkFor: (claimed: ClaimedIncidentNotice, action: 'acknowledge' | 'resolve') => string;
};

/** A claimed notice as the channels render it, with its subject as it is now. */
export function compose(claimed: ClaimedPersonalNotice, options: ComposeOptions): Notice {
  switch (claimed.about) {
    case 'incident':
      return incidentNotice(claimed, options);
    case 'shift': {
      const { about, kind, story, user_id } = claimed;
      return {
        ...addressed(claimed),
        ...{ about, kind, story, isPersonal: user_id !== null },
        url: `${options.publicUrl}/on-calls/${story.schedule.id}`,
      };
    }
    case 'usage': {
      const { about, kind, usage } = claimed;
      return { ...addressed(claimed), about, kind, usage };
    }
    case 'webhook': {
      const { about, kind, failing: webhook } = claimed;
      return { ...addressed(claimed), about, kind, webhook };
    }
    case 'undecided': {
      const { about, kind, undecided } = claimed;
      return { ...addressed(claimed), about, kind, undecided };
    }
  }
}

/** To whom a notice goes and why. */
const addressed = (claimed: ClaimedPersonalNotice) => ({
  key: claimed.key,
  organization: { id: claimed.organization_id, name: claimed.organizationName },
  ...(claimed.recipient !== null && { recipient: claimed.recipient }),
  ...(claimed.mention !== null && { mention: claimed.mention }),
  why: claimed.why,
});

function incidentNotice(claimed: ClaimedIncidentNotice, options: ComposeOptions): IncidentNotice {
  const { incident } = claimed;
  return {
    ...addressed(claimed),
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
      details: detailsText(incident.details),
      links: incident.links,
      url: `${options.publicUrl}/incidents/${incident.number}`,
      created_at: incident.created_at,
    },
    ...(incident.status !== 'resolved' && {
      links: {
        acknowledge: options.linkFor(claimed, 'acknowledge'),
        resolve: options.linkFor(claimed, 'resolve'),
      },
    }),
  };
}

function detailsText(details: unknown): string {
  if (details === null || details === undefined) return '';
  const text = typeof details === 'string' ? details : JSON.stringify(details, null, 2);
  return text.length > sendingLimits.details
    ? `${text.slice(0, sendingLimits.details)}…`.toWellFormed()
    : text;
}
