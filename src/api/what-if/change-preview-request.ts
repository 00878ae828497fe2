// The body of POST /preview: one record as it is to be, and what the same run has planned before.
import type { Static } from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import {
  anyObject,
  choice,
  listOf,
  objectOf,
  optional,
  text,
} from '../../resources/declaration/field.ts';
import { isObject } from '../../resources/declaration/is-object.ts';
import { type ManagedBy, managedBySchema } from '../../resources/declaration/managed-by.ts';
import { located, type Problem, type Resource } from '../../resources/declaration/resource.ts';
import { notAnId, readObject } from '../../resources/declaration/validate.ts';
import { records } from '../../resources/index.ts';
import { override } from '../../resources/override.ts';
import { incidentRole, type Role } from '../../resources/roles.ts';
import { user } from '../../resources/user.ts';
import { invalid } from '../failures.ts';
import { isId } from '../people/writing.ts';
import { type ParsedBody, readBody } from '../records/body.ts';
import type { Call } from '../route.ts';

/** What a team declares, and all that declares effects. Of people, only the deactivation has some. */
const previewed: readonly Resource[] = [...records, user, override];

/** No record of a configuration. */
const connectionKind = 'channel_connection';
const kinds = previewed.map(({ name: kind }) => kind);

const kindOf = (all: readonly string[]) => choice(all, { doc: 'The kind of record.' });

const proposal = {
  kind: kindOf(kinds),
  record: anyObject(
    'The proposed record, like the body of a PUT, with its id if it exists. To preview archiving, the id and archived: true. To preview the deactivation of a user, the id and active: false, or archived: true. Secrets of a channel connection may be absent if it exists. They are neither stored nor returned.',
  ),
  unknown: optional(
    listOf(
      text({
        doc: 'The path of one part, such as steps[0].targets[1]. That part is null or absent in record.',
      }),
      {
        doc: 'The parts of the record that are not known yet. They are neither checked nor used.',
        min: 0,
        max: queryLimits.previewUnknown,
      },
    ),
  ),
};

export const changePreviewBody = objectOf({
  ...proposal,
  kind: kindOf([...kinds, connectionKind]),
  planned: optional(
    listOf(objectOf(proposal, 'Another record in the same run.'), {
      doc: 'Other records that will be saved or archived first. The preview assumes that this has happened.',
      min: 0,
      max: queryLimits.previewPlanned,
    }),
  ),
  managed_by: optional(managedBySchema),
});

/** Who may save it may preview it. What is no kind is refused for that. */
export function leastRoleFor(body: unknown): Role {
  const kind = isObject(body) ? body['kind'] : undefined;
  if (kind === connectionKind) return 'admin';
  const isOverride = kind === override.name;
  return !isOverride && kinds.some((one) => one === kind) ? 'manager' : incidentRole;
}

/** A record as it is to be. */
export type Proposed = {
  /** Of the record in the request. */
  readonly path: string;
  readonly resource: Resource;
  /** Null: it is new. */
  readonly id: string | null;
  readonly archived: boolean;
  /** What is unknown is absent, or a hole in a list. */
  readonly written: ParsedBody;
  readonly mayBe: MayBe;
};

/** A connection as it is to be; it is read against the saved one. */
export type ProposedConnection = Pick<Proposed, 'path' | 'id' | 'archived'> & {
  readonly record: unknown;
};

type OfRun = {
  readonly planned: readonly Proposed[];
  /** Whose configuration this is, as far as the body says. */
  readonly managedBy: ManagedBy | null;
};

export type ChangePreviewRequest = OfRun & { readonly record: Proposed };
export type ConnectionPreviewRequest = OfRun & { readonly connection: ProposedConnection };

type Sent = Static<typeof changePreviewBody>;

/** Throws all mistakes of shape at once. */
export function readChangePreview({ body }: Call): ChangePreviewRequest | ConnectionPreviewRequest {
  const read = readObject(changePreviewBody, body);
  if (!read.ok) throw invalid(read.problems);
  // readObject checked it.
  const { planned = [], managed_by: managedBy = null, ...own } = read.value as Sent;
  const others = planned.map((one, index) => proposedOf(one, `planned[${index}].record`));
  if (own.kind === connectionKind) {
    const { problems, ...connection } = proposedConnection(own.record);
    refuse([...located('record', problems), ...problemsIn(others)]);
    return { connection, planned: others, managedBy };
  }
  const record = proposedOf(own, 'record');
  refuse(problemsIn([record, ...others]));
  return { record, planned: others, managedBy };
}

const problemsIn = (all: readonly Proposed[]) =>
  all.flatMap(({ path, written }) => located(path, written.problems));

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw invalid(problems);
}

function proposedConnection(record: unknown) {
  const { archived = false, ...fields } = isObject(record) ? record : {};
  const id = textOf(fields['id']);
  const problems = identityProblems(fields, { archived, isRequired: false });
  const known = isId(id) ? (id ?? null) : null;
  return { path: 'record', id: known, archived: archived === true, record: fields, problems };
}

type SentProposal = Pick<Sent, 'kind' | 'record' | 'unknown'>;

function proposedOf({ kind, record, unknown = [] }: SentProposal, path: string): Proposed {
  // The schema lets no other kind through.
  const resource = previewed.find((one) => one.name === kind) as Resource;
  const mayBe = unknownIn(unknown);
  const { archived: sent = false, ...fields } = isObject(record) ? record : {};
  const isDeactivated = resource === user && fields['active'] === false;
  const archived = isDeactivated && sent === false ? true : sent;
  const id = isId(textOf(fields['id'])) ? textOf(fields['id']) : null;
  const identified = identityProblems(fields, { archived, isRequired: resource === user });
  const common = { path, resource, id: id ?? null, archived: archived === true, mayBe };
  if (archived === true || resource === user)
    return { ...common, written: { teamId: null, fields: {}, problems: identified } };
  const written = readBody(resource, isObject(record) ? fields : record);
  const isCertain = ({ path: at }: Problem) => at === '' || !mayBe(parentOf(at));
  const problems = [...identified, ...written.problems.filter(isCertain)];
  return { ...common, written: { ...written, problems } };
}

export const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

function identityProblems(
  { id }: Readonly<Record<string, unknown>>,
  { archived, isRequired }: { readonly archived: unknown; readonly isRequired: boolean },
): readonly Problem[] {
  const isAbsent = id === undefined || id === null;
  return [
    ...(isAbsent || isId(textOf(id)) ? [] : [{ path: 'id', message: notAnId }]),
    ...(isAbsent && (archived === true || isRequired)
      ? [{ path: 'id', message: 'is required' }]
      : []),
    ...(typeof archived === 'boolean' || archived === null
      ? []
      : [{ path: 'archived', message: 'must be true or false' }]),
  ];
}

/** The people whom these records deactivate. */
export const deactivatedBy = (planned: readonly Proposed[]): readonly string[] =>
  planned.flatMap(({ resource, id, archived }) =>
    resource.name === user.name && archived && id !== null ? [id] : [],
  );

/** Whether something at that path may yet be anything: it is within an unknown part, or has one. */
type MayBe = (path: string) => boolean;

function unknownIn(paths: readonly string[]): MayBe {
  const unknown = new Set(paths);
  const around = new Set(paths.flatMap(pathsTo));
  return (path) => around.has(path) || pathsTo(path).some((each) => unknown.has(each));
}

/** The path, those of all that it is in, and that of the whole record. */
function pathsTo(path: string): readonly string[] {
  const paths: string[] = [];
  for (let rest = path; rest !== ''; rest = parentOf(rest)) paths.push(rest);
  return [...paths, ''];
}

/** Of the object or the list that it is in. */
function parentOf(path: string): string {
  const end = Math.max(path.lastIndexOf('.'), path.lastIndexOf('['));
  return path.slice(0, Math.max(end, 0));
}
