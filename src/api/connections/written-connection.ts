// The body of a write to a connection, held to what its vendor declares.
import { connectionInput } from '../../resources/connections/connection.ts';
import { ruleProblems } from '../../resources/connections/field-rules.ts';
import type { Settings } from '../../resources/connections/vendor.ts';
import { vendorNamed } from '../../resources/connections/vendors.ts';
import { objectOf } from '../../resources/declaration/field.ts';
import { isObject } from '../../resources/declaration/is-object.ts';
import type { Problem } from '../../resources/declaration/resource.ts';
import { readObject, requiredMessage } from '../../resources/declaration/validate.ts';
import type { Connection, ConnectionFields } from '../../storage/connections/connections.ts';
import { invalid } from '../failures.ts';
import { readOnly } from '../people/writing.ts';

/** What a client reads and may send back. */
export const ignored = [
  ...readOnly,
  'channels',
  'account',
  'health',
  'usage',
  'unused_reason',
  'receive',
  'callback_warning',
  'callback_urls',
];

type Sent = Omit<ConnectionFields, 'settings'> & {
  readonly settings?: Settings;
  readonly secrets?: Readonly<Record<string, string>>;
};

export type Written = ConnectionFields & {
  readonly newSecrets: Readonly<Record<string, string>>;
  readonly removedSecrets: readonly string[];
};

type Change = {
  readonly before: Connection;
  /** As it came: what a patch removes is null there, and absent in what is merged of it. */
  readonly sent: unknown;
};

/** Of a saved connection, which keeps its vendor and the secrets that are not sent. */
export function readChange(body: unknown, { before, sent }: Change): Written {
  const { vendor, secrets } = before;
  const written = readSent(body, sent, Object.keys(secrets));
  if (written.vendor !== vendor)
    throw invalid([
      { path: 'vendor', message: `must stay ${vendor}: add a connection for another vendor` },
    ]);
  return written;
}

export const readNew = (body: unknown): Written => readSent(body, body, []);

function readSent(body: unknown, sentBody: unknown, stored: readonly string[]): Written {
  // With what stands in an answer in their place.
  const sentSecrets = isObject(sentBody) ? sentBody['secrets'] : undefined;
  const secretsSent = Object.entries(isObject(sentSecrets) ? sentSecrets : {});
  const read = readObject(connectionInput, readable(body, sentSecrets), { ignored });
  if (!read.ok) throw invalid(read.problems);
  // The reader has held it to the schema.
  const sent = read.value as Sent;
  const { name, vendor, position = 1, enabled, settings = {}, secrets: newSecrets = {} } = sent;
  const removedSecrets = secretsSent.flatMap(([secret, value]) =>
    value === null && isOptional(vendor, secret) ? [secret] : [],
  );
  const written = { name, vendor, position, enabled, settings, newSecrets, removedSecrets };
  const problems = problemsOf(written, stored);
  if (problems.length > 0) throw invalid(problems);
  return written;
}

/** Absent settings are none: so it is said which of them are missing. */
function readable(body: unknown, sentSecrets: unknown): unknown {
  if (!isObject(body)) return body;
  const settings = body['settings'] ?? {};
  if (!isObject(sentSecrets)) return { ...body, settings };
  const secrets = Object.entries(sentSecrets).filter(([, value]) => !isObject(value));
  return { ...body, settings, secrets: Object.fromEntries(secrets) };
}

const isOptional = (vendor: string, secret: string): boolean =>
  !requiredSecrets(vendor).includes(secret);

const requiredSecrets = (vendor: string): readonly string[] =>
  objectOf(vendorNamed(vendor)?.secrets ?? {}).required ?? [];

function problemsOf(written: Written, stored: readonly string[]): readonly Problem[] {
  const { vendor, settings, newSecrets, removedSecrets } = written;
  const secrets = new Set([...stored, ...Object.keys(newSecrets)]);
  for (const removed of removedSecrets) secrets.delete(removed);
  const missing = requiredSecrets(vendor)
    .filter((secret) => !secrets.has(secret))
    .map((secret) => ({ path: `secrets.${secret}`, message: requiredMessage }));
  const present = new Set([
    ...Object.keys(settings).map((field) => `settings.${field}`),
    ...[...secrets].map((secret) => `secrets.${secret}`),
  ]);
  const rules = vendorNamed(vendor)?.check ?? [];
  return [...missing, ...ruleProblems(rules, (path) => present.has(path))];
}
