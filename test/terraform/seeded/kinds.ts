// What the stories have of each kind that Terraform manages: the records, teams, overrides and settings.
import { oncallSchedule } from '../../../src/resources/oncall-schedule.ts';
import {
  located,
  type Managed,
  managed,
  managedAs,
  managedRecords,
} from '../../../src/terraform/managed.ts';
import type { Value } from '../../../src/terraform/protocol/value.ts';
import type { Existing } from '../../any-fields.ts';
import type { InProcess } from '../../system/in-process.ts';
import { anyResourcesOf } from '../any-configuration.ts';
import type { Fields, Resources } from '../running-terraform.ts';

type Api = InProcess['api'];
export type Known = { readonly id: string; readonly version: number; readonly name?: string };
type Active = { readonly path: string; readonly one: Known };

type Kind = Managed & {
  /** What somebody changes by hand. */
  readonly byHand: Fields;
  readonly active: (api: Api) => Promise<readonly Active[]>;
};

const listed =
  (route: string) =>
  async (api: Api): Promise<readonly Active[]> =>
    ((await api.list(route)) as Known[]).map((one) => ({ path: `/${route}/${one.id}`, one }));

async function overrides(api: Api): Promise<readonly Active[]> {
  const schedules: readonly Known[] = await api.list(oncallSchedule.route);
  const all = schedules.map(({ id }) => listed(`${oncallSchedule.route}/${id}/overrides`)(api));
  return (await Promise.all(all)).flat();
}

export const settings = 'pager_notification_settings';
const override = 'pager_override';
const team = 'pager_team';

export const kinds: readonly Kind[] = [
  ...[...managedRecords, managedAs(managed, team)].map((one) => ({
    ...one,
    byHand: { name: 'By hand' },
    active: listed(one.resource.route),
  })),
  { ...managedAs(managed, override), byHand: { comment: 'By hand' }, active: overrides },
  { ...managedAs(managed, settings), byHand: { shift_end: [] }, active: async () => [] },
];

export const kindOf = (address: string): Kind => {
  const kind = kinds.find(({ typeName }) => typeName === address.split('.')[0]);
  if (kind === undefined) throw new Error(`${address} is of no kind of the stories`);
  return kind;
};

/** Where the API has it. */
export function pathOf(address: string, fields: Fields = {}): string {
  const { resource } = located(kindOf(address), fields as Value);
  const { route, owner, detailRoute } = resource;
  return `/${route}/${fields['id']}${owner === null ? '' : detailRoute}`;
}

/** By each form of an id. */
export function importId(address: string, fields: Fields, index: number): string {
  const { id, counter, team_id, oncall_schedule_id } = fields;
  const { typeName } = kindOf(address);
  if (typeName === override) return `${oncall_schedule_id}/${id}`;
  if (counter === undefined) return `${id}`;
  const key = index % 4 < 2 ? id : counter;
  return index % 2 === 0 ? `${key}` : `${team_id}/${key}`;
}

/** So many of each kind. */
export function drawn(existing: Existing, count: number, seed: number): Resources {
  const all = anyResourcesOf(existing, count, seed, kinds);
  const fitted = Object.entries(all).map(([type, ofType]) => {
    const named = Object.entries(ofType).map(([name, fields], index) => [
      name,
      fitting(type, fields, { existing, index, seed }),
    ]);
    return [type, Object.fromEntries(named)];
  });
  return Object.fromEntries(fitted);
}

type Drawing = { readonly existing: Existing; readonly index: number; readonly seed: number };

/** With what the declaration does not say. */
function fitting(type: string, fields: Fields, { existing, index, seed }: Drawing): Fields {
  // The default team stays: others own records by it.
  if (type === team) return { ...fields, default: false };
  if (type === settings) return { ...fields, user_id: existing['user']?.[index] };
  if (type !== override) return fields;
  const day = String(1 + (seed % 28)).padStart(2, '0');
  return { ...fields, start: `2034-01-${day}T00:00:00Z`, end: '2034-02-01T09:00:00+01:00' };
}
