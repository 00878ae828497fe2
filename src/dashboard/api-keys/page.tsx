// The keys of programs: who has which, what each allows, and how it ends.
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../api/use-may.ts';
import { SettingsTabs } from '../settings/tabs.tsx';
import { PageHeader } from '../shell/page-header.tsx';
import { pages } from '../shell/pages.ts';
import { useTitle } from '../shell/use-title.ts';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { NotAllowed } from '../ui/not-allowed.tsx';
import { Empty } from '../ui/panel.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { ShownList } from '../ui/shown-list.tsx';
import { Tab, Tabs } from '../ui/tabs.tsx';
import { Warnings } from '../ui/warnings.tsx';
import { CreateKeyDialog } from './create.tsx';
import { EditKeyDialog } from './edit.tsx';
import { type ApiKey, keysOf } from './keys.ts';
import { keysQuery } from './queries.ts';
import { type Revoked, RevokeKeyDialog } from './revoke.tsx';
import { KeyRow } from './row.tsx';
import { words } from './words.ts';

const { path, least } = pages.apiKeys;

export function ApiKeysPage() {
  const isAllowed = useMay(least);
  useTitle(words.title);
  if (isAllowed === false) return <NotAllowed title={words.title} least={least} />;
  return isAllowed && <Keys />;
}

type Doing = { readonly type: 'edit' | 'revoke'; readonly key: ApiKey };

function Keys() {
  const { show, q = '' } = useSearch({ from: path });
  const navigate = useNavigate({ from: path });
  const isRevoked = show === 'archived';
  const query = useQuery(keysQuery(isRevoked));
  const [isCreating, setCreating] = useState(false);
  const [doing, setDoing] = useState<Doing | null>(null);
  const [revoked, setRevoked] = useState<Revoked | null>(null);
  const search = (text: string) =>
    void navigate({
      search: ({ q: _, ...rest }) => (text ? { ...rest, q: text } : rest),
      replace: true,
      resetScroll: false,
    });
  const close = () => setDoing(null);
  const create = (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      {words.create}
    </Button>
  );
  return (
    <>
      <PageHeader title={words.title}>
        <SearchField label={words.search} text={q} onChange={search} />
        {create}
      </PageHeader>
      <SettingsTabs current={pages.apiKeys} />
      <p className="px-4 py-1 text-pretty text-ink2 md:px-5">{words.text}</p>
      <Tabs label={words.which}>
        {([undefined, 'archived'] as const).map((which) => (
          <Tab
            key={which ?? ''}
            to={path}
            search={({ show: _, ...rest }) => (which ? { ...rest, show: which } : rest)}
            isCurrent={which === show}
          >
            {which === undefined ? words.active : words.revokedTab}
          </Tab>
        ))}
      </Tabs>
      <div className="px-4 md:px-5">
        <p role="status" className="font-medium text-green empty:hidden">
          {revoked && <bdi>{words.revoked(revoked.name)}</bdi>}
        </p>
        <Warnings warnings={revoked?.warnings ?? []} />
      </div>
      <Loaded query={query}>
        {(all) => {
          const shown = keysOf(all, q);
          if (shown.length > 0)
            return (
              <Rows
                key={`${show} ${q}`}
                shown={shown}
                onEdit={(key) => setDoing({ type: 'edit', key })}
                onRevoke={(key) => setDoing({ type: 'revoke', key })}
              />
            );
          if (q === '')
            return isRevoked ? (
              <Empty {...words.noRevoked} />
            ) : (
              <Empty {...words.empty}>{create}</Empty>
            );
          return (
            <Empty {...words.nothingMatches}>
              <Button icon="x" onClick={() => search('')}>
                {words.clear}
              </Button>
            </Empty>
          );
        }}
      </Loaded>
      {isCreating && <CreateKeyDialog onClose={() => setCreating(false)} />}
      {doing?.type === 'edit' && <EditKeyDialog apiKey={doing.key} onClose={close} />}
      {doing?.type === 'revoke' && (
        <RevokeKeyDialog
          apiKey={doing.key}
          keys={query.data ?? []}
          onRevoked={setRevoked}
          onClose={close}
        />
      )}
    </>
  );
}

type RowsProps = {
  shown: readonly ApiKey[];
  onEdit: (key: ApiKey) => void;
  onRevoke: (key: ApiKey) => void;
};

function Rows({ shown, onEdit, onRevoke }: RowsProps) {
  return (
    <ShownList label={words.title} all={shown}>
      {(key) => (
        <KeyRow
          key={key.id}
          apiKey={key}
          onEdit={() => onEdit(key)}
          onRevoke={() => onRevoke(key)}
        />
      )}
    </ShownList>
  );
}
