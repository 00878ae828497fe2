// An organization as the files of a Terraform configuration whose first plan changes nothing.
import type { Resource } from '../../resources/declaration/resource.ts';
import { records } from '../../resources/index.ts';
import { integrationMapping } from '../../resources/integration-mapping.ts';
import {
  importBlock,
  leftOutBlock,
  mappingBlock,
  mappingImport,
  resourceBlock,
  type Surroundings,
  teamBlock,
  userBlock,
} from './blocks.ts';
import { type Block, blockText } from './hcl.ts';
import { addressOf, type Location, type Locations, locationsOf } from './locations.ts';
import type { ExportedRecord, Organization } from './organization.ts';
import { apiKeyVariable, providerText } from './provider-file.ts';
import { type Secrets, secretsFile, secretsOf, secretsText, secretVariables } from './secrets.ts';

export type File = {
  readonly name: string;
  readonly text: string;
  /** Nobody but its owner may read it. */
  readonly isSecret: boolean;
};
export type Configuration = {
  readonly files: readonly File[];
  readonly managed: readonly ExportedRecord[];
  /** How many mappings of integrations it has. */
  readonly mappings: number;
  readonly leftOut: readonly ExportedRecord[];
  /** Those that point to something by its plain id. */
  readonly withPlainIds: readonly ExportedRecord[];
};
type ExportOptions = {
  readonly baseUrl: string;
  /** The team of what names none, unless it is the default one. */
  readonly teamId: string | null;
  /** The records that Terraform manages. */
  readonly declared?: readonly Resource[];
};
const mappingsFile = fileOf(integrationMapping.table);

type Placed = readonly [ExportedRecord, Location];

/** All that an export may have written. */
export const fileNames: readonly string[] = [
  ...['provider.tf', 'variables.tf', 'teams.tf', 'users.tf', 'imports.tf', secretsFile],
  ...[...records, integrationMapping].map(({ table }) => fileOf(table)),
];

/** What is written of a record depends on all of them. */
function contextOf(organization: Organization, teamId: string | null) {
  const locations = locationsOf(organization);
  const placed = organization.records.flatMap((exported): Placed[] => {
    const location = locations.get(exported.record.id);
    return location ? [[exported, location]] : [];
  });
  const managed = placed.filter(([, { mode }]) => mode === 'resource');
  const homeTeam = homeTeamOf(organization, teamId);
  const secrets = secretsOf(managed);
  const around = surroundings(organization.records, { locations, secrets, homeTeam });
  return { locations, placed, managed, homeTeam, secrets, around };
}

export function configurationOf(organization: Organization, options: ExportOptions): Configuration {
  const { locations, placed, managed, homeTeam, secrets, around } = contextOf(
    organization,
    options.teamId,
  );
  const { declared = records } = options;
  const blocksByFile = declared.map(({ name, table }) => {
    const blocks = placed
      .filter(([{ resource }]) => resource.name === name)
      .map(([exported, location]) =>
        location.mode === 'data'
          ? leftOutBlock(exported, location)
          : resourceBlock(exported, location, around),
      );
    return [fileOf(table), blocks] as const;
  });
  const mappings = organization.mappings.flatMap((mapping) => {
    const location = locations.get(mapping.integrationId);
    return location?.mode === 'resource' ? [{ mapping, location }] : [];
  });
  const imports = managed.map(([exported, location]) => importBlock(exported, location, homeTeam));
  const blocks: readonly (readonly [name: string, blocks: readonly Block[]])[] = [
    ['variables.tf', [apiKeyVariable, ...secretVariables(secrets)]],
    ...namedBlocks(organization, { locations, managed, homeTeam }),
    ...blocksByFile,
    [mappingsFile, mappings.map(({ mapping, location }) => mappingBlock(mapping, location))],
    [
      'imports.tf',
      [...imports, ...mappings.map(({ mapping, location }) => mappingImport(mapping, location))],
    ],
  ];
  return {
    files: [
      plainFile('provider.tf', providerText(options.baseUrl, homeTeam)),
      ...blocks
        .filter(([, all]) => all.length > 0)
        .map(([name, all]) => plainFile(name, all.map(blockText).join('\n'))),
      ...(secrets.size > 0
        ? [{ name: secretsFile, text: secretsText(secrets), isSecret: true }]
        : []),
    ],
    managed: managed.map(([exported]) => exported),
    mappings: mappings.length,
    leftOut: placed.filter(([, { mode }]) => mode === 'data').map(([exported]) => exported),
    withPlainIds: managed
      .map(([exported]) => exported)
      .filter((exported) => exported.references.some(({ id }) => around.idOf(id, exported) === id)),
  };
}

function fileOf(table: string): string {
  return `${table.replaceAll('_', '-')}.tf`;
}

const plainFile = (name: string, text: string): File => ({ name, text, isSecret: false });

/** Only where there are several teams does anything have to say which. */
function homeTeamOf({ teams }: Organization, teamId: string | null): string | null {
  if (teams.length < 2) return null;
  const [first] = teams;
  return teamId ?? (teams.find(({ isDefault }) => isDefault) ?? first)?.id ?? null;
}

/** A resource that a text refers to and does not contain. */
export type OtherResource = {
  readonly id: string;
  /** The name of its declaration. */
  readonly kind: string;
  /** Such as `pager_service.shop`. */
  readonly address: string;
};
export type RecordConfiguration = {
  readonly text: string;
  readonly others: readonly OtherResource[];
};

/**
 * One record as the files have it: the variables of its secrets, the people and teams that it names, its
 * block, and what imports it. It refers to other records by their addresses in the same files. Null: it is
 * not among the active ones.
 */
export function recordConfiguration(
  organization: Organization,
  id: string,
): RecordConfiguration | null {
  const { locations, placed, homeTeam, secrets, around } = contextOf(organization, null);
  const own = placed.find(([{ record }]) => record.id === id);
  if (own === undefined) return null;
  const [exported, location] = own;
  if (location.mode === 'data')
    return { text: blockText(leftOutBlock(exported, location)), others: [] };
  const used = new Set<string>();
  const secret = (value: string) => {
    used.add(value);
    return around.secret(value);
  };
  const referenced = new Set<string>();
  const idOf: Surroundings['idOf'] = (other, from) => {
    const written = around.idOf(other, from);
    if (written !== other) referenced.add(other);
    return written;
  };
  const block = resourceBlock(exported, location, { ...around, secret, idOf });
  const others = placed
    .filter(([{ record }]) => record.id !== id && referenced.has(record.id))
    .map(([{ record, resource }, other]) => ({
      id: record.id,
      kind: resource.name,
      address: addressOf(other),
    }));
  const variables = [...secrets].filter(([value]) => used.has(value));
  const named = namedBlocks(organization, { locations, managed: [own], homeTeam });
  const mappings = organization.mappings.filter(({ integrationId }) => integrationId === id);
  const blocks = [
    ...secretVariables(new Map(variables)),
    ...named.flatMap(([, each]) => each),
    block,
    importBlock(exported, location, homeTeam),
    ...mappings.flatMap((mapping) => [
      mappingBlock(mapping, location),
      mappingImport(mapping, location),
    ]),
  ];
  return { text: blocks.map(blockText).join('\n'), others };
}

type Around = Pick<Surroundings, 'homeTeam'> & {
  readonly locations: Locations;
  readonly secrets: Secrets;
};

function surroundings(
  records: readonly ExportedRecord[],
  { locations, secrets, homeTeam }: Around,
): Surroundings {
  const isCircle = circles(records);
  return {
    homeTeam,
    idOf(id, from) {
      const location = locations.get(id);
      if (location === undefined || isCircle(from.record.id, id)) return id;
      return { address: `${addressOf(location)}.id` };
    },
    secret: (value) => ({ address: `var.${secrets.get(value)?.name}` }),
  };
}

type Naming = Pick<Around, 'locations' | 'homeTeam'> & { readonly managed: readonly Placed[] };

/** The people and teams that records point to. */
function namedBlocks({ teams, users }: Organization, { locations, managed, homeTeam }: Naming) {
  const used = new Set(
    managed.flatMap(([{ record, references }]) => [
      ...references.map(({ id }) => id),
      ...(homeTeam === null || record.team_id === homeTeam ? [] : [record.team_id]),
    ]),
  );
  const blocksOf = <One extends { readonly id: string }>(
    all: readonly One[],
    blockOf: (one: One, location: Location) => Block,
  ): readonly Block[] =>
    all.flatMap((one) => {
      const location = used.has(one.id) ? locations.get(one.id) : undefined;
      return location ? [blockOf(one, location)] : [];
    });
  return [
    ['teams.tf', blocksOf(teams, teamBlock)],
    ['users.tf', blocksOf(users, userBlock)],
  ] as const;
}

/** Whether a reference from the record comes back to it, which Terraform does not allow. */
function circles(records: readonly ExportedRecord[]): (from: string, to: string) => boolean {
  const targets = new Map(
    records.map(({ record, references }) => [record.id, references.map(({ id }) => id)]),
  );
  return (from, to) => {
    const seen = new Set([to]);
    for (const id of seen) {
      if (id === from) return true;
      for (const target of targets.get(id) ?? []) seen.add(target);
    }
    return false;
  };
}
