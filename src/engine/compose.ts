import type { Notice } from '../notices/notice.ts';
import type { Claimed } from './ledger.ts';

export type ComposeOptions = {
  readonly publicUrl: string;
  /** The address of a page that asks whether to do it. */
  readonly linkFor: (claimed: Claimed, action: 'acknowledge' | 'resolve') => string;
};

const detailsMax = 4_000;

/** A claimed notice as the channels render it, with the incident as it is now. */
export function compose(claimed: Claimed, options: ComposeOptions): Notice {
  const { incident } = claimed;
  return {
    kind: claimed.kind,
    key: claimed.key,
    organization: { id: claimed.organization_id, name: claimed.organizationName },
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
    ...(claimed.recipient !== null && { recipient: claimed.recipient }),
    ...(claimed.mention !== null && { mention: claimed.mention }),
    why: claimed.why,
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
  return text.length > detailsMax ? `${text.slice(0, detailsMax)}…`.toWellFormed() : text;
}
