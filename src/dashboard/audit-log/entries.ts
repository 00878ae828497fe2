// What an entry of the audit log is about, and what it changed.
import { isObject } from '../../resources/declaration/is-object.ts';
import { pathOfMember, pathTo } from '../form/parts.ts';
import { displayNameOf } from '../records/record.ts';

type Fields = Readonly<Record<string, unknown>>;

export type Entry = {
  readonly id: string;
  readonly at: string;
  readonly actor: {
    readonly type: 'user' | 'key' | 'server';
    readonly id: string;
    readonly name: string;
  };
  readonly action: string;
  readonly record_type: string;
  readonly record_id: string;
  readonly before?: Fields;
  readonly after?: Fields;
  readonly request_id?: string;
};

/** At one path; absent: it was not there. */
export type Difference = {
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
};

/** Every write changes these. */
const counted: readonly string[] = ['version', 'updated_at'];

export function differencesOf({ before, after }: Pick<Entry, 'before' | 'after'>) {
  const isChange = before !== undefined && after !== undefined;
  return differences('', before, after).filter(({ path }) => !(isChange && counted.includes(path)));
}

function differences(path: string, before: unknown, after: unknown): readonly Difference[] {
  const [old, next] = [partsOf(path, before), partsOf(path, after)];
  if (old === null && next === null) {
    const [was, is] = [textOf(before), textOf(after)];
    if (was === is) return [];
    return [
      {
        path,
        ...(was !== undefined && { before: was }),
        ...(is !== undefined && { after: is }),
      },
    ];
  }
  // A group in place of a value, or a value in place of a group.
  if (old === null && before !== undefined)
    return [...differences(path, before, undefined), ...differences(path, undefined, after)];
  if (next === null && after !== undefined)
    return [...differences(path, before, undefined), ...differences(path, undefined, after)];
  const paths = new Set([...(old?.keys() ?? []), ...(next?.keys() ?? [])]);
  return [...paths].flatMap((one) => differences(one, old?.get(one), next?.get(one)));
}

/** By their paths; null: it is one value. */
function partsOf(path: string, value: unknown): ReadonlyMap<string, unknown> | null {
  if (Array.isArray(value) && value.length > 0)
    return new Map(value.map((one, index) => [pathOfMember(path, index), one]));
  if (isObject(value) && Object.keys(value).length > 0)
    return new Map(Object.entries(value).map(([name, one]) => [pathTo(path, name), one]));
  return null;
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

/** As the record was called last; else its id. */
export function recordName({ before, after, record_id }: Entry): string {
  const fields = after ?? before ?? {};
  const { first_name, last_name, address, text } = fields;
  const person = [first_name, last_name].filter((one) => typeof one === 'string').join(' ');
  if (person !== '') return person;
  const named = displayNameOf({ ...fields, id: record_id });
  if (named !== record_id) return named;
  return [address, text].find((one) => typeof one === 'string' && one !== '')?.toString() ?? named;
}

type Pages = Readonly<Record<string, { readonly path: string }>>;

/** The page of the record, or of what it belongs to. */
export function pageOf({ record_type, record_id, before, after }: Entry, pages: Pages) {
  const own = pages[record_type];
  if (own !== undefined) return `${own.path}/${record_id}`;
  const schedule = (after ?? before)?.['oncall_schedule_id'];
  switch (record_type) {
    case 'organization':
      return '/settings/organization';
    case 'api_key':
      return '/settings/api-keys';
    case 'channel_connection':
      return `/settings/channels/${record_id}`;
    case 'schedule_notifications':
      return `/on-calls/${record_id}`;
    case 'user_notifications':
      return `/users/${record_id}`;
    case 'oncall_override':
    case 'cover_request':
      return typeof schedule === 'string' ? `/on-calls/${schedule}` : null;
    default:
      return null;
  }
}
