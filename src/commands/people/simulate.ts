// `pagerctl simulate`: the story of an alert, or of an incident from now on, before it happens.

import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import type { Fields } from '../../client/answer.ts';
import { messageOf } from '../../engine/log.ts';
import { coloured, type Terminal } from '../../terminal.ts';
import {
  type Api,
  type ExitCode,
  findRecord,
  jsonLine,
  listIn,
  Misused,
  numberOf,
  objectIn,
  Refused,
  runVerb,
  type Surroundings,
  timeOf,
} from './api.ts';
import { tableText, textLine } from './table.ts';
import { durationText, timeText } from './times.ts';

const usage = `pagerctl simulate [--integration <integration> | --service <service>] --title <title>
                  [--priority <p1..p5>] [--severity <sev1..sev3>] [--details <text>]
pagerctl simulate [--integration <integration> | --service <service>] --event <file>
pagerctl simulate --incident <number>

  --integration <integration>  name, counter or id of the integration that receives the alert;
                               not needed if there is only one
  --service <service>          name, counter or id of the service of the alert, which arrives
                               through the service's only integration
  --event <file>               file with an event as the tool sends it; - is standard input
  --incident <number>          simulate an existing incident from now on
  --at <time>                  time of the alert, such as 2026-11-30T02:00, in your time zone unless
                               it has an offset
  --ack-after <minutes>        minutes until someone acknowledges; without it, nobody does
  --json                       print the response of the API

Nothing is stored, and nobody is paged.
`;

const text = { type: 'string' } as const;
const options = {
  integration: text,
  service: text,
  title: text,
  priority: text,
  severity: text,
  details: text,
  event: text,
  incident: text,
  at: text,
  'ack-after': text,
} as const;

type Flags = { readonly [Name in keyof typeof options]?: string | undefined };

/** Answers the exit code. */
export function simulateCommand(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal } = surroundings;
  return runVerb(args, surroundings, {
    usage,
    options,
    positionalsMax: 0,
    async run({ values }, api) {
      const { 'ack-after': minutes, at } = values;
      if (minutes !== undefined && !/^\d{1,6}$/.test(minutes))
        throw new Misused('--ack-after must be a whole number of minutes.');
      const body = await api.post('/simulate', {
        ...(await subjectOf(values, api)),
        ...(at !== undefined && { at: timeOf(at, terminal) }),
        ...(minutes !== undefined && { acknowledge_after_minutes: Number(minutes) }),
      });
      terminal.write(values.json ? jsonLine(body) : storyText(body, terminal));
      return 0;
    },
  });
}

async function subjectOf(flags: Flags, api: Api): Promise<Fields> {
  const { title, event, incident } = flags;
  const subjects = [title, event, incident].filter((each) => each !== undefined);
  if (subjects.length !== 1) throw new Misused('Use one of --title, --event and --incident.');
  const { priority, severity, details } = flags;
  if (title === undefined && (priority ?? severity ?? details) !== undefined)
    throw new Misused('Use --priority, --severity and --details only with --title.');
  if (incident !== undefined) {
    if ((flags.integration ?? flags.service) !== undefined)
      throw new Misused('Use --integration and --service only with --title or --event.');
    return { incident_id: String(numberOf(incident)) };
  }
  const sent =
    event === undefined ? { title, priority, severity, details } : sampleOf(await sentIn(event));
  return { integration_id: await integrationId(flags, api), event: sent };
}

/** The body as the tool sends it, with the content type of JSON if it is JSON. */
function sampleOf(body: string): Fields {
  try {
    JSON.parse(body);
    return { body, content_type: 'application/json' };
  } catch {
    return { body };
  }
}

async function sentIn(file: string): Promise<string> {
  try {
    return file === '-' ? await textOf(process.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw new Refused(`${file} cannot be read: ${messageOf(error)}.`);
  }
}

async function integrationId({ integration, service }: Flags, api: Api): Promise<unknown> {
  if (integration !== undefined && service !== undefined)
    throw new Misused('Use --integration or --service, not both.');
  const kind = { route: 'integrations', noun: 'integration' };
  if (integration !== undefined) return (await findRecord(api, kind, integration))['id'];
  if (service !== undefined) return onlyIntegrationOf(service, api);
  const [only, ...others] = listIn(await api.get('/integrations', { limit: '2' }), 'data');
  if (only === undefined || others.length > 0)
    throw new Misused('Choose the integration that receives the alert with --integration.');
  return only['id'];
}

async function onlyIntegrationOf(service: string, api: Api): Promise<unknown> {
  const { id, name } = await findRecord(api, { route: 'services', noun: 'service' }, service);
  const query = { service_id: String(id) };
  const integrations = listIn(await api.get('/integrations', query), 'data');
  const [only, ...others] = integrations;
  if (only === undefined) throw new Refused(`The service ${name} has no integration.`);
  if (others.length === 0) return only['id'];
  const names = integrations.map((each) => String(each['name'])).join(', ');
  throw new Misused(
    `The service ${name} has several integrations. Choose one with --integration: ${names}.`,
  );
}

function storyText(story: Fields, terminal: Terminal): string {
  const ended = objectIn(story, 'ended') ?? {};
  const warnings = Array.isArray(story['warnings']) ? story['warnings'] : [];
  const parts = [
    listIn(story, 'alerts').map(alertText).join(''),
    entriesText(story, terminal),
    noticesText(story, terminal),
    `After ${after(ended)}: ${textLine(String(ended['text']))}\n`,
    warnings.map((warning) => `${textLine(String(warning))}\n`).join(''),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function alertText(alert: Fields): string {
  const { title, outcome, reason } = alert;
  const rules = listIn(alert, 'rules').filter(({ applied }) => applied === true);
  const why = typeof reason === 'string' ? `, ${reason}` : '';
  const byRules = rules.map(({ name }) => `  by the rule ${textLine(String(name))}\n`).join('');
  return `${textLine(`${title}: ${outcome}${why}`)}\n${byRules}`;
}

function entriesText(story: Fields, terminal: Terminal): string {
  const rows = listIn(story, 'entries').map((entry) => [
    timeText(entry['at'], terminal.zone),
    after(entry),
    String(entry['text']),
  ]);
  if (rows.length === 0) return '';
  return tableText({ headings: ['TIME', 'AFTER', 'WHAT'], rows, overflow: 'wrap' }, terminal);
}

/** Who hears of it, and who would but cannot. */
function noticesText(story: Fields, terminal: Terminal): string {
  const rows = listIn(story, 'notices').map((notice) => {
    const { kind, channel, person, route, chat, webhook, deliverable, reason } = notice;
    const name = String(person ?? chat ?? webhook ?? '-');
    const recipient = route === undefined ? name : `${name} (${route})`;
    const isDeliverable = deliverable === true;
    const outcome = isDeliverable ? 'yes' : `no: ${reason}`;
    return [
      after(notice),
      recipient,
      String(channel),
      String(kind).replaceAll('_', ' '),
      { text: outcome, colour: isDeliverable ? 'green' : 'red' } as const,
    ];
  });
  if (rows.length === 0) {
    const none = 'Nobody is notified.\n';
    return terminal.hasColours ? coloured('red', none) : none;
  }
  const headings = ['AFTER', 'WHO', 'BY', 'WHAT', 'REACHED'];
  return tableText({ headings, rows, overflow: 'wrap' }, terminal);
}

const after = ({ after_seconds }: Fields): string => durationText(Number(after_seconds));
