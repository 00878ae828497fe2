// `pagerctl ack` and `pagerctl resolve`: one incident after the other, each with what is true of
// it afterwards.
import { queryLimits } from '../../limits/queries.ts';
import {
  type ExitCode,
  jsonLine,
  Misused,
  numberOf,
  Refused,
  runVerb,
  type Surroundings,
} from './api.ts';
import { textLine } from './table.ts';

type Action = { readonly verb: 'ack' | 'resolve'; readonly route: 'acknowledge' | 'resolve' };

const usageOf = ({ verb, route }: Action) => `pagerctl ${verb} <number> [<number> ...] [--json]

  <number>   number of an incident to ${route}, such as 42 or INC-42
  --json     print each incident as the API returns it, one per line

Exit code 0: all are ${route}d; 1: at least one is not, and the message says why.
`;

export const ackCommand = (args: readonly string[], surroundings: Surroundings) =>
  act(args, surroundings, { verb: 'ack', route: 'acknowledge' });

export const resolveCommand = (args: readonly string[], surroundings: Surroundings) =>
  act(args, surroundings, { verb: 'resolve', route: 'resolve' });

function act(
  args: readonly string[],
  surroundings: Surroundings,
  action: Action,
): Promise<ExitCode> {
  const { terminal } = surroundings;
  return runVerb(args, surroundings, {
    usage: usageOf(action),
    options: {},
    positionalsMax: queryLimits.incidentsAtOnce,
    async run({ values, positionals }, api) {
      const numbers = new Set(positionals.map(numberOf));
      if (numbers.size === 0)
        throw new Misused(`Enter the numbers of the incidents to ${action.route}.`);
      let code: ExitCode = 0;
      for (const number of numbers) {
        try {
          const incident = await api.post(`/incidents/${number}/${action.route}`);
          const { status, title } = incident;
          const text = `INC-${number} is ${status}: ${textLine(String(title))}\n`;
          terminal.write(values.json ? jsonLine(incident) : text);
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          terminal.writeError(`INC-${number}: ${textLine(error.message)}\n`);
          code = 1;
        }
      }
      return code;
    },
  });
}
