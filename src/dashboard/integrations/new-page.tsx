// /integrations/new: the tool first, then its name, service and policy. Its page has the other steps.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMay } from '../api/use-may.ts';
import type { FieldProps, OwnWidgets } from '../form/around.tsx';
import type { IntegrationType } from '../integration/integration.ts';
import { typesQuery } from '../integration/queries.ts';
import { NewRecordPage } from '../records/new-page.tsx';
import type { AnySearch } from '../records/record.ts';
import { words as recordWords } from '../records/words.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { useTitle } from '../shell/use-title.ts';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { NotAllowed } from '../ui/not-allowed.tsx';
import { Empty } from '../ui/panel.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { ToolLogo } from '../ui/tool-logo.tsx';
import { typesFor } from './gallery.ts';
import { integrations } from './kind.ts';
import { words } from './words.ts';

const title = recordWords.create(words.one);

export function NewIntegrationPage() {
  const { type, service } = useSearch({ from: '/integrations/new' });
  if (type === undefined) return <ChooseType />;
  const begin = { slug: type, ...(service !== undefined && { service_id: service }) };
  return <NewRecordPage key={type} kind={integrations} begin={begin} own={own} />;
}

function ChooseType() {
  const { q = '' } = useSearch({ from: '/integrations/new' });
  const navigate = useNavigate();
  const query = useQuery(typesQuery);
  const isAllowed = useMay('manager');
  useTitle(title);
  const search = (text: string) =>
    void navigate({
      to: '/integrations/new',
      search: ({ q: _, ...rest }: AnySearch) => (text ? { ...rest, q: text } : rest),
      replace: true,
    });
  if (isAllowed === false) return <NotAllowed title={title} least="manager" />;
  return (
    <>
      <PageHeader title={title} back={{ to: integrations.path, text: words.title }}>
        <SearchField label={words.searchTypes} text={q} onChange={search} />
      </PageHeader>
      <Loaded query={query}>
        {(all) => {
          const matching = typesFor(all, q);
          return (
            <section aria-labelledby="choose" className="px-4 py-4 md:px-5">
              <h2 id="choose" className="text-lg font-bold">
                {words.choose}
              </h2>
              <p className="text-ink2">{words.chooseText}</p>
              <p role="status" className="mt-2 text-sm text-ink3">
                {words.types(matching.length)}
              </p>
              {matching.length === 0 ? (
                <Empty {...words.noType}>
                  <Button icon="x" onClick={() => search('')}>
                    {words.clear}
                  </Button>
                </Empty>
              ) : (
                <ul
                  aria-labelledby="choose"
                  className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(min(100%,14rem),1fr))] gap-2"
                >
                  {matching.map((type) => (
                    <TypeLink key={type.slug} type={type} />
                  ))}
                </ul>
              )}
            </section>
          );
        }}
      </Loaded>
    </>
  );
}

const TypeLink = ({ type: { slug, name } }: { type: IntegrationType }) => (
  <li>
    <Link
      to="/integrations/new"
      search={({ q: _, ...rest }: AnySearch) => ({ ...rest, type: slug })}
      className="flex min-h-12 items-center gap-3 rounded-lg border border-line bg-surface px-3 py-2 hover:border-edge"
    >
      <ToolLogo slug={slug} name={name} />
      <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
    </Link>
  </li>
);

/** Chosen on the page before. */
function Type({ value }: FieldProps) {
  const { data: types } = useQuery(typesQuery);
  const slug = String(value ?? '');
  const type = types?.find((one) => one.slug === slug);
  const name = type?.name ?? slug;
  return (
    <div className="flex items-start gap-3">
      <ToolLogo slug={slug} name={name} />
      <div className="min-w-0">
        <p className="font-medium">
          <span className="sr-only">{words.type}: </span>
          <bdi>{name}</bdi>
        </p>
        {type && <p className="text-pretty text-ink2">{type.description}</p>}
        <Link
          to="/integrations/new"
          search={({ type: _, ...rest }: AnySearch) => rest}
          className="inline-flex min-h-6 items-center text-iris underline pointer-coarse:min-h-11"
        >
          {words.otherType}
        </Link>
      </div>
    </div>
  );
}

/** Its settings tab has the rest, once the first event has come. */
const Later = () => null;

const own: OwnWidgets = {
  slug: Type,
  description: Later,
  ack_timeout_minutes: Later,
  repeat_escalation: Later,
  auto_resolve: Later,
  resolve_when_quiet: Later,
  grouping: Later,
  disable_incident_suppression: Later,
  enabled: Later,
};
