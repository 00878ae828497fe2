import { useWrite } from '../api/use-write.ts';
import { Confirm } from '../ui/confirm.tsx';
import { warningsIn } from '../ui/warnings.tsx';
import { type ApiKey, keysOf, madeBy } from './keys.ts';
import { keysPath, staleKeys } from './queries.ts';
import { words } from './words.ts';

export type Revoked = { readonly name: string; readonly warnings: readonly string[] };

type RevokeKeyDialogProps = {
  apiKey: ApiKey;
  /** All that are active. */
  keys: readonly ApiKey[];
  onRevoked: (revoked: Revoked) => void;
  onClose: () => void;
};

/** Says first which other keys end with it. */
export function RevokeKeyDialog({
  apiKey: { id, name },
  keys,
  onRevoked,
  onClose,
}: RevokeKeyDialogProps) {
  const revoking = useWrite(staleKeys);
  const { ending, staying } = madeBy(keys, id);
  async function revoke() {
    const answer = await revoking.send({
      method: 'DELETE',
      path: `${keysPath}/${id}`,
      name: words.revokeOne(name),
    });
    if (answer === null) return;
    onRevoked({ name, warnings: warningsIn(answer) });
    onClose();
  }
  return (
    <Confirm
      title={words.revokeTitle(name)}
      text={words.revokeText}
      action={words.revoke}
      writing={revoking}
      onConfirm={() => void revoke()}
      onClose={onClose}
    >
      <KeyNames text={words.endToo} keys={ending} />
      <KeyNames text={words.stay} keys={staying} />
    </Confirm>
  );
}

const KeyNames = ({ text, keys }: { text: string; keys: readonly ApiKey[] }) =>
  keys.length > 0 && (
    <div className="mb-3 rounded-md bg-amber-tint px-3 py-2">
      <p className="font-medium text-pretty">{text}</p>
      <ul className="mt-1 max-h-48 overflow-y-auto">
        {keysOf(keys).map(({ id, name, prefix }) => (
          <li key={id} className="wrap-anywhere">
            <bdi>{name}</bdi> <code className="font-mono text-sm">{prefix}…</code>
          </li>
        ))}
      </ul>
    </div>
  );
