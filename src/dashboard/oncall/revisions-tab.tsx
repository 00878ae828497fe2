import { useQuery } from '@tanstack/react-query';
import { PagerError } from '../api/pager.ts';
import { namesById } from '../people/names-by-id.ts';
import { peopleQuery } from '../people/queries.ts';
import { Button } from '../ui/button.tsx';
import { Reading } from '../ui/loaded.tsx';
import { useNow } from '../ui/now.ts';
import { Trouble } from '../ui/panel.tsx';
import { hoursText } from './hours-text.ts';
import { layerLabel } from './layer-label.ts';
import { rotationText } from './layer-text.ts';
import { type Layer, type Revision, useRevisions } from './queries.ts';
import { type Difference, differencesOf } from './revisions.ts';
import { fullText } from './times.ts';
import { words as listWords, revisionWords as words } from './words.ts';

type RevisionsTabProps = {
  id: string;
  zone: string;
  /** Opens the form with the layers of an earlier one; absent: the reader may not edit them. */
  restore: ((number: number) => void) | undefined;
};

/** Each write that changed who is on call: who made it, by what, and what it changed. */
export function RevisionsTab({ id, zone, restore }: RevisionsTabProps) {
  const query = useRevisions(id);
  const { data: members = [] } = useQuery(peopleQuery);
  const now = useNow();
  if (query.data === undefined) {
    const { error } = query;
    if (!(error instanceof PagerError)) return <Reading />;
    return <Trouble title={words.failed} failure={error.failure} retry={query.refetch} />;
  }
  const names = namesById(members);
  const revisions = query.data.pages.flatMap(({ data }) => data);
  // What the oldest one that was read has changed is known with those before it.
  const shown = query.hasNextPage ? revisions.slice(0, -1) : revisions;
  return (
    <div className="max-w-4xl px-4 py-4 md:px-5">
      <p className="text-sm text-ink2">{words.note(zone)}</p>
      <ol className="mt-1">
        {shown.map((revision, index) => (
          <li
            key={revision.number}
            className="grid gap-x-4 gap-y-1 border-t border-line py-3 md:grid-cols-[13rem_minmax(0,1fr)]"
          >
            <div className="min-w-0 text-sm">
              <time dateTime={revision.from} className="block text-ink2">
                {fullText(zone, Date.parse(revision.from), now)}
              </time>
              <MadeBy revision={revision} />
              {restore && index > 0 && (
                <Button className="mt-2" onClick={() => restore(revision.number)}>
                  {words.restore}
                </Button>
              )}
            </div>
            <Differences
              before={revisions[index + 1]}
              revision={revision}
              names={names}
              zone={zone}
            />
          </li>
        ))}
      </ol>
      {query.hasNextPage && (
        <Button
          className="mt-3"
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {words.earlier}
        </Button>
      )}
    </div>
  );
}

function MadeBy({ revision: { actor, managed_by } }: { revision: Revision }) {
  if (actor === undefined) return <p className="text-ink3">{words.unknown}</p>;
  return (
    <>
      <p className="text-base font-medium wrap-anywhere">
        <bdi>{actor.name}</bdi>
      </p>
      <p className="text-ink2">
        {managed_by ? words.terraform(managed_by.workspace) : words.via[actor.type]}
      </p>
    </>
  );
}

type DifferencesProps = {
  before: Revision | undefined;
  revision: Revision;
  names: ReadonlyMap<string, string>;
  zone: string;
};

function Differences({ before, revision, names, zone }: DifferencesProps) {
  const textOf = (layer: Layer, field: keyof typeof words.fields) =>
    layerText(layer, field, { names, zone });
  const labelOf = (layer: Layer) => layerLabel(layer, (id) => names.get(id) ?? listWords.somebody);
  if (before === undefined)
    return (
      <div className="min-w-0">
        <p className="font-medium">{words.created}</p>
        {revision.layers.map((layer) => (
          <p key={layer.id} className="text-ink2">
            {labelOf(layer)} · {textOf(layer, 'rotation')}
          </p>
        ))}
      </div>
    );
  const line = (one: Difference) => {
    switch (one.path) {
      case 'archived':
        return <p className="font-medium">{one.after ? words.archived : words.restored}</p>;
      case 'timezone':
        return <Changed what={words.timezone} before={one.before} after={one.after} />;
      case 'layer':
        if (one.before !== null && one.after !== null)
          return (
            <Changed
              what={words.moved(labelOf(one.layer))}
              before={words.place(one.before)}
              after={words.place(one.after)}
            />
          );
        return (
          <p>
            <span className="font-medium">
              {one.after === null
                ? words.removed(labelOf(one.layer))
                : words.added(labelOf(one.layer))}
            </span>
            <span className="block text-ink2">
              {textOf(one.layer, 'users')} · {textOf(one.layer, 'rotation')}
            </span>
          </p>
        );
      default:
        return (
          <Changed
            what={words.ofLayer(labelOf(one.after), words.fields[one.path])}
            before={textOf(one.before, one.path)}
            after={textOf(one.after, one.path)}
          />
        );
    }
  };
  const all = differencesOf(before, revision);
  return (
    <ul className="flex min-w-0 flex-col gap-1.5">
      {all.map((one) => (
        <li key={JSON.stringify(one)}>{line(one)}</li>
      ))}
    </ul>
  );
}

/** What was, and below it what is. */
const Changed = ({ what, before, after }: { what: string; before: string; after: string }) => (
  <>
    <p className="font-medium">{what}</p>
    <p className="text-ink3">
      <span className="sr-only">{words.before} </span>
      <del className="wrap-anywhere">{before}</del>
    </p>
    <p className="wrap-anywhere">
      <span className="sr-only">{words.after} </span>
      {after}
    </p>
  </>
);

type Shown = { names: ReadonlyMap<string, string>; zone: string };

function layerText(
  { name, users, rotation, restriction, starts_at, ends_at }: Layer,
  field: keyof typeof words.fields,
  { names, zone }: Shown,
): string {
  const at = (text: string | undefined) =>
    text === undefined ? words.none : fullText(zone, Date.parse(text), 0);
  switch (field) {
    case 'name':
      return name ?? words.noName;
    case 'users':
      return users
        .map((user) => (user === null ? listWords.nobody : (names.get(user) ?? listWords.somebody)))
        .join(', ');
    case 'rotation':
      return rotationText({ rotation });
    case 'restriction':
      return restriction === undefined ? words.always : hoursText(restriction.windows);
    case 'starts_at':
      return at(starts_at);
    case 'ends_at':
      return at(ends_at);
  }
}
