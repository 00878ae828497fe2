// The command /pager, as Discord is told of it, and as people have entered it.
// https://discord.com/developers/docs/interactions/application-commands
import { itemsOf, membersOf } from '../json.ts';

const SUBCOMMAND = 1;
const TEXT = 3;

type Option = {
  readonly type: typeof TEXT;
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly max_length: number;
};

const option = (
  name: string,
  description: string,
  max_length: number,
  required = true,
): Option => ({
  type: TEXT,
  name,
  description,
  required,
  max_length,
});

const incident = option('incident', 'Its number, such as 42', 20);
const ofName = option('name', 'Its name', 200);

const subcommand = (name: string, description: string, ...options: readonly Option[]) => ({
  type: SUBCOMMAND,
  name,
  description,
  options,
});

export const pagerCommand = {
  type: 1,
  name: 'pager',
  description: 'Who is on call; acknowledge, resolve, escalate and open incidents',
  // In servers only.
  contexts: [0],
  options: [
    subcommand(
      'who',
      'Shows who is on call',
      option('schedule', 'The name of a schedule, to see only that one', 200, false),
    ),
    subcommand('ack', 'Acknowledges an incident', incident),
    subcommand('resolve', 'Resolves an incident', incident),
    subcommand('escalate', 'Pages the next step of an incident', incident),
    subcommand(
      'page',
      'Opens an incident, which pages people',
      option('service', 'The name of the service', 200),
      option('problem', 'What is wrong', 1_500),
    ),
    subcommand('playbook', 'Runs a playbook on an incident', incident, ofName),
    subcommand('webhook', 'Calls an outbound webhook with an incident', incident, ofName),
    subcommand('link', 'Links your account here to your Pager account'),
    subcommand('help', 'Lists what you can do'),
  ],
} as const;

/** Whether what Discord has is this command, with all of it. */
export function isPagerCommand(value: unknown): boolean {
  const { name, description, options } = membersOf(value);
  if (name !== pagerCommand.name || description !== pagerCommand.description) return false;
  return JSON.stringify(shapeOf(options)) === JSON.stringify(shapeOf(pagerCommand.options));
}

/** What Pager sets, without what Discord adds. */
function shapeOf(options: unknown): unknown {
  return itemsOf(options).map((one) => {
    const {
      type,
      name,
      description,
      required = false,
      max_length,
      options: below,
    } = membersOf(one);
    return [type, name, description, required, max_length ?? null, shapeOf(below)];
  });
}

/** What was entered, as it is written after `/pager` where commands are one line. */
export function commandTextOf(data: unknown): string | null {
  const { name, options } = membersOf(data);
  const [chosen] = itemsOf(options);
  const { name: verb, options: entered } = membersOf(chosen);
  const declared = pagerCommand.options.find((one) => one.name === verb);
  if (name !== pagerCommand.name || declared === undefined) return null;
  const all = itemsOf(entered).map(membersOf);
  // In our order, whatever people filled in first.
  const values = declared.options.flatMap((field) => {
    const { value } = all.find((one) => one['name'] === field.name) ?? {};
    if (typeof value !== 'string' || value === '') return [];
    // The name of a service ends there, also if that of another begins with it.
    return field.name === 'service' ? `${value}:` : value;
  });
  return [declared.name, ...values].join(' ');
}
