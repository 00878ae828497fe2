// The way back from the archive, with what it brings back before it is done.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { displayName } from '../../resources/declaration/resource.ts';
import { PagerError } from '../api/pager.ts';
import { useWrite } from '../api/use-write.ts';
import { Confirm } from '../ui/confirm.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { WriteButton } from '../ui/write-button.tsx';
import { usesQuery } from './queries.ts';
import { words } from './words.ts';

type Restored = {
  readonly kind: string;
  /** Of its kind, in the API. */
  readonly path: string;
  readonly id: string;
  readonly name: string;
  readonly version: number;
};

type RestoreProps = { one: Restored; label?: string; onRestored?: (() => void) | undefined };

export function Restore({ one, label, onRestored }: RestoreProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <WriteButton aria-label={label} onClick={() => setOpen(true)}>
        {words.restore}
      </WriteButton>
      {isOpen && <RestoreDialog one={one} onRestored={onRestored} onClose={() => setOpen(false)} />}
    </>
  );
}

function RestoreDialog({ one, onRestored, onClose }: RestoreProps & { onClose: () => void }) {
  const { kind, path, id, name, version } = one;
  const { isLoading } = useQuery({ ...usesQuery({ path }, id), enabled: kind !== 'team' });
  const restoring = useWrite([path.slice(1)], ['search'], ['archive'], ['session']);
  async function restore() {
    const write = { path: `${path}/${id}/restore`, version, body: {}, name: words.restore };
    if ((await restoring.send({ method: 'POST', ...write })) === null) return;
    onClose();
    onRestored?.();
  }
  return (
    <Confirm
      kind="primary"
      title={words.restoreTitle(name)}
      text={words.comesBack[kind] ?? words.comesBackPlain}
      action={words.restore}
      writing={restoring}
      isReady={!isLoading}
      onConfirm={() => void restore()}
      onClose={onClose}
    >
      {kind !== 'team' && <UsedAgain one={one} />}
    </Confirm>
  );
}

/** The active records that still name it. */
function UsedAgain({ one: { path, id } }: { one: Restored }) {
  const { data, error } = useQuery(usesQuery({ path }, id));
  return (
    <div aria-live="polite" className="mb-3">
      {!data && !error && <p className="text-ink2">{words.computing}</p>}
      {error instanceof PagerError && <FailedWrite failure={error.failure} />}
      {data && data.count > 0 && (
        <>
          <p className="font-medium">{words.usedAgain}</p>
          <ul>
            {data.data.map((use) => (
              <li key={use.id} className="flex flex-wrap gap-x-3">
                <bdi>{use.name}</bdi>
                <span className="text-ink3">{displayName(use.kind)}</span>
              </li>
            ))}
          </ul>
          {data.count > data.data.length && (
            <p className="text-ink2">{words.hiddenUses(data.count - data.data.length)}</p>
          )}
        </>
      )}
    </div>
  );
}
