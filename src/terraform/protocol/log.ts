// The provider's log: lines of JSON that Terraform puts into its own, if it was asked for one.
const levels = ['trace', 'debug', 'info', 'warn', 'error'] as const;
type Level = (typeof levels)[number];

/** Text fields only: Terraform ends itself over others in the fields that it knows. */
export type Log = (
  level: Level,
  message: string,
  fields?: Readonly<Record<string, string>>,
) => void;

export function createLog(environment: NodeJS.ProcessEnv, write: (line: string) => void): Log {
  const level = environment['TF_LOG_PROVIDER'] || environment['TF_LOG'] || 'off';
  const from = leastOf(level.toLowerCase());
  return (level, message, fields) => {
    if (levels.indexOf(level) < from) return;
    // Terraform reads six digits of a second.
    const timestamp = new Date().toISOString().replace('Z', '000Z');
    const own = { '@level': level, '@message': message, '@timestamp': timestamp };
    write(JSON.stringify({ ...fields, ...own, '@module': 'pager' }));
  };
}

/** Terraform takes a level that it does not know for all of them. */
function leastOf(level: string): number {
  if (level === 'off') return levels.length;
  return Math.max(0, (levels as readonly string[]).indexOf(level));
}
