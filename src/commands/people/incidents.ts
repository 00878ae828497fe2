// `pagerctl incidents`: what is open, or was.

import type { Fields } from '../../client/answer.ts';
import { systemClock } from '../../engine/clock.ts';
import { queryLimits } from '../../limits/queries.ts';
import type { Colour } from '../../terminal.ts';
import {
  type Api,
  type ExitCode,
  findRecord,
  jsonLine,
  listIn,
  Misused,
  runVerb,
  type Surroundings,
} from './api.ts';
import { type Cell, tableText } from './table.ts';
import { durationText, secondsBetween } from './times.ts';

const usage = `pagerctl incidents [--all | --status <status>] [--service <service>] [--limit <n>]
                   [--cursor <cursor>] [--json]

  --all                include resolved incidents; without it, only open ones are listed
  --status <status>    triggered, acknowledged or resolved
  --service <service>  name, counter or id of a service
  --limit <n>          maximum number of incidents, 1 to ${queryLimits.pageSize}; default 50
  --cursor <cursor>    continue a list from its next_cursor
  --json               print the response of the API
`;

const options = {
  all: { type: 'boolean' },
  status: { type: 'string' },
  service: { type: 'string' },
  limit: { type: 'string' },
  cursor: { type: 'string' },
} as const;

/** Answers the exit code. */
export function incidentsCommand(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal } = surroundings;
  return runVerb(args, surroundings, {
    usage,
    options,
    positionalsMax: 0,
    async run({ values }, api) {
      const { all = false, status, service, limit, cursor, json = false } = values;
      if (all && status !== undefined) throw new Misused('Use --all or --status, not both.');
      const service_id =
        service && (await findRecord(api, { route: 'services', noun: 'service' }, service))['id'];
      const body = await api.get('/incidents', {
        ...(!all && { status: status ?? 'open' }),
        ...(typeof service_id === 'string' && { service_id }),
        ...(limit !== undefined && { limit }),
        ...(cursor !== undefined && { cursor }),
      });
      if (json) terminal.write(jsonLine(body));
      else terminal.write(await incidentsText(body, api, surroundings));
      return 0;
    },
  });
}

async function incidentsText(body: Fields, api: Api, { terminal }: Surroundings): Promise<string> {
  const incidents = listIn(body, 'data');
  const { next_cursor } = body;
  const more = next_cursor === null ? '' : `There may be more: --cursor ${next_cursor}\n`;
  if (incidents.length === 0) return more || 'No matching incidents.\n';
  const names = await serviceNames(incidents, api);
  const now = systemClock.now();
  const headings = ['INCIDENT', 'STATUS', 'PRIORITY', 'SEVERITY', 'AGE', 'SERVICE', 'TITLE'];
  const rows = incidents.map((incident) => [
    `INC-${incident['number']}`,
    statusCell(incident, now),
    String(incident['priority'] ?? '-'),
    String(incident['severity'] ?? '-'),
    durationText(secondsBetween(incident['created_at'], now)),
    names.get(incident['service_id']) ?? '-',
    String(incident['title']),
  ]);
  return `${tableText({ headings, rows }, terminal)}${more}`;
}

const colours: Readonly<Record<string, Colour>> = {
  triggered: 'red',
  acknowledged: 'yellow',
  resolved: 'green',
};

function statusCell({ status, muted_until }: Fields, now: Temporal.Instant): Cell {
  const isMuted = typeof muted_until === 'string' && secondsBetween(muted_until, now) < 0;
  const text = isMuted && status !== 'resolved' ? `${status}, muted` : String(status);
  return { text, colour: colours[String(status)] ?? 'gray' };
}

/** By id, of the services that these are about. */
async function serviceNames(
  incidents: readonly Fields[],
  api: Api,
): Promise<ReadonlyMap<unknown, string>> {
  const ids = [...new Set(incidents.map(({ service_id }) => service_id))];
  const names = ids.map(async (id) => [id, await api.nameOf(`/services/${id}`)] as const);
  return new Map(await Promise.all(names));
}
