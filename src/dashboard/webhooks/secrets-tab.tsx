import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useWrite } from '../api/use-write.ts';
import type { RecordViewProps } from '../records/record-page.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { CopyField } from '../ui/copy-field.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Moment } from '../ui/moment.tsx';
import { Section } from '../ui/section.tsx';
import { WriteButton } from '../ui/write-button.tsx';
import { webhooks } from './kind.ts';
import { type SigningSecret, secretsKey, secretsQuery } from './queries.ts';
import { words } from './words.ts';

/** Rotation without a gap: a second secret, the switch in one's own system, the first one removed. */
export function SecretsTab({ record: { id, archived_at } }: RecordViewProps) {
  const query = useQuery(secretsQuery(id));
  const creating = useWrite(secretsKey(id));
  const removing = useWrite(secretsKey(id));
  const [leaving, setLeaving] = useState<SigningSecret | null>(null);
  const path = `${webhooks.path}/${id}/secrets`;
  const isActive = archived_at === undefined;
  async function remove(secret: SigningSecret) {
    const done = await removing.send({ method: 'DELETE', path: `${path}/${secret.id}` });
    if (done !== null) setLeaving(null);
  }
  return (
    <Section title={words.secrets} text={words.secretsText}>
      <Loaded query={query}>
        {(secrets) => (
          <div className="flex max-w-xl flex-col gap-4">
            {secrets.map((secret, index) => (
              <OneSecret
                key={secret.id}
                secret={secret}
                label={words.secretName(index + 1)}
                {...(isActive && secrets.length > 1 && { onRemove: () => setLeaving(secret) })}
              />
            ))}
            {isActive && secrets.length === 1 && (
              <WriteButton
                className="self-start"
                aria-disabled={creating.isPending}
                onClick={() => void creating.send({ method: 'POST', path, body: {} })}
              >
                {words.createSecret}
              </WriteButton>
            )}
            <FailedWrite failure={creating.failure} />
          </div>
        )}
      </Loaded>
      {leaving && (
        <Confirm
          title={words.removeTitle}
          text={words.removeText}
          action={words.removeSecret}
          writing={removing}
          onConfirm={() => void remove(leaving)}
          onClose={() => setLeaving(null)}
        />
      )}
    </Section>
  );
}

/** In the page only while it is revealed. */
const REVEALED_MS = 60_000;

type OneSecretProps = { secret: SigningSecret; label: string; onRemove?: () => void };

function OneSecret({ secret, label, onRemove }: OneSecretProps) {
  const [isRevealed, setRevealed] = useState(false);
  useEffect(() => {
    if (!isRevealed) return;
    const timer = setTimeout(() => setRevealed(false), REVEALED_MS);
    return () => clearTimeout(timer);
  }, [isRevealed]);
  return (
    <section aria-label={label} className="flex flex-col gap-2 rounded-lg border border-line p-3">
      <p className="font-medium">{label}</p>
      <p className="text-sm text-ink3">
        {words.created}: <Moment at={secret.created_at} />
      </p>
      {isRevealed && <CopyField label={words.secretName(1)} text={secret.secret} />}
      <div className="flex flex-wrap gap-2">
        {!isRevealed && <Button onClick={() => setRevealed(true)}>{words.reveal}</Button>}
        {onRemove && (
          <Button kind="danger" onClick={onRemove}>
            {words.removeSecret}
          </Button>
        )}
      </div>
    </section>
  );
}
