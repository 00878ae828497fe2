import { useQuery } from '@tanstack/react-query';
import { personName } from '../../resources/person-name.ts';
import { sessionQuery, teamNamesQuery } from '../api/queries.ts';
import { peopleQuery } from '../people/queries.ts';
import { words as peopleWords } from '../people/words.ts';
import { Button } from '../ui/button.tsx';
import { Day } from '../ui/day.tsx';
import { useNow } from '../ui/now.ts';
import { TimeAgo } from '../ui/time-ago.tsx';
import { type ApiKey, mayChange, type Validity, validityOf } from './keys.ts';
import { words } from './words.ts';

const list = new Intl.ListFormat(undefined, { type: 'unit', style: 'short' });

type KeyRowProps = { apiKey: ApiKey; onEdit: () => void; onRevoke: () => void };

export function KeyRow({ apiKey, onEdit, onRevoke }: KeyRowProps) {
  const { name, role, prefix, created_by, made_by_key_id, archived_at } = apiKey;
  const { data: session } = useQuery(sessionQuery);
  const isActive = archived_at === undefined;
  const mayEdit = session !== undefined && mayChange(session.user, apiKey);
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 border-b border-line px-4 py-2.5 [content-visibility:auto] md:px-5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium wrap-anywhere">
          <bdi>{name}</bdi> <code className="font-mono text-sm text-ink3">{prefix}…</code>
        </p>
        <p className="text-sm text-ink2 wrap-anywhere">
          {peopleWords.roles[role]} · <Teams apiKey={apiKey} />
        </p>
        <p className="text-sm text-ink3 wrap-anywhere">
          <bdi>
            {made_by_key_id === undefined
              ? words.createdBy(created_by)
              : words.createdWith(created_by)}
          </bdi>
          {' · '}
          <Day at={apiKey.created_at} />
        </p>
        <OwnerInactive apiKey={apiKey} />
      </div>
      <div className="w-44 text-sm">
        <Use apiKey={apiKey} />
        {isActive ? (
          <Expiry apiKey={apiKey} />
        ) : (
          <p className="text-ink3">
            {words.revokedAt} <Day at={archived_at} />
          </p>
        )}
      </div>
      {isActive && session !== undefined && (
        <div className="flex w-44 gap-2">
          {mayEdit ? (
            <>
              <Button aria-label={words.editOne(name)} onClick={onEdit}>
                {words.edit}
              </Button>
              <Button kind="danger" aria-label={words.revokeOne(name)} onClick={onRevoke}>
                {words.revoke}
              </Button>
            </>
          ) : (
            <p className="text-sm text-ink3">{words.ownersOnly}</p>
          )}
        </div>
      )}
    </li>
  );
}

function Teams({ apiKey: { team_ids } }: { apiKey: ApiKey }) {
  const { data: teams } = useQuery(teamNamesQuery);
  if (team_ids === undefined) return words.allTeams;
  return <bdi>{list.format(team_ids.map((id) => teams?.get(id) ?? id))}</bdi>;
}

/** A key of a person is not accepted while that person is not active. */
function OwnerInactive({ apiKey: { user_id, archived_at } }: { apiKey: ApiKey }) {
  const { data: people } = useQuery(peopleQuery);
  const owner = people?.find(({ id }) => id === user_id);
  if (owner === undefined || owner.active || archived_at !== undefined) return null;
  return <p className="text-sm text-red">{words.ownerInactive(personName(owner))}</p>;
}

const Use = ({ apiKey: { last_used_at } }: { apiKey: ApiKey }) => (
  <p className="text-ink2">
    {last_used_at === undefined ? (
      words.neverUsed
    ) : (
      <>
        {words.lastUsed} <TimeAgo at={last_used_at} isSpelledOut />
      </>
    )}
  </p>
);

const colours: Readonly<Record<Validity, string>> = {
  endless: 'text-ink3',
  valid: 'text-ink3',
  soon: 'text-amber',
  expired: 'font-medium text-red',
};

function Expiry({ apiKey }: { apiKey: ApiKey }) {
  const validity = validityOf(apiKey, useNow());
  const { expires_at } = apiKey;
  return (
    <p className={colours[validity]}>
      {expires_at === undefined ? (
        words.endless
      ) : (
        <>
          {validity === 'expired' ? words.expired : words.expires} <Day at={expires_at} />
        </>
      )}
    </p>
  );
}
