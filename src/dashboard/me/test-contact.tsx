import { useState } from 'react';
import { useWrite } from '../api/use-write.ts';
import type { Contact } from '../people/queries.ts';
import { FailedWrite } from '../ui/failed-write.tsx';
import { WriteButton } from '../ui/write-button.tsx';
import { words } from './words.ts';

/** Who waits for a page learns soon why none comes. */
const briefly = { retriesMax: 4, totalMs: 10_000 };

/** Sends a page that says it is a test. */
export function TestContact({ userId, contact }: { userId: string; contact: Contact }) {
  const sending = useWrite();
  const [isDelivered, setDelivered] = useState<boolean | null>(null);
  async function send() {
    setDelivered(null);
    const path = `/users/${userId}/contacts/${contact.id}/test`;
    const sent = await sending.send({ method: 'POST', path, body: {}, budget: briefly });
    if (sent !== null) setDelivered(sent['delivered'] === true);
  }
  return (
    <div className="mt-4 border-t border-line pt-4">
      <WriteButton aria-disabled={sending.isPending} onClick={() => void send()}>
        {sending.isPending ? words.testing : words.test}
      </WriteButton>
      <p role="status" className="mt-2 text-sm text-pretty text-ink2 empty:hidden">
        {isDelivered !== null && (isDelivered ? words.testDelivered : words.testTaken)}
      </p>
      <FailedWrite failure={sending.failure} />
    </div>
  );
}
