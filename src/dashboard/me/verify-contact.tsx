import { useEffect, useRef, useState } from 'react';
import { failureText } from '../../client/answer.ts';
import { rings } from '../../resources/channels.ts';
import { useWrite } from '../api/use-write.ts';
import type { Contact } from '../people/queries.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { useSecond } from '../ui/now.ts';
import { remaining } from '../ui/remaining.ts';
import { codeOf } from './code.ts';
import { words } from './words.ts';

/** The server sends no other code before. */
const PAUSE_MS = 60_000;
/** Who waits for a code learns at once why none comes. */
const briefly = { retriesMax: 4, totalMs: 10_000 };

type VerifyProps = { userId: string; contact: Contact; onClose: () => void };

/** Sends a code when it opens; six digits are sent as soon as they are there. */
export function VerifyDialog({ userId, contact, onClose }: VerifyProps) {
  const path = `/users/${userId}/contacts/${contact.id}`;
  const sending = useWrite();
  const verifying = useWrite(['users']);
  const [code, setCode] = useState('');
  const [sentAt, setSentAt] = useState<number | null>(null);

  async function send() {
    verifying.forget();
    const body = {};
    const sent = await sending.send({
      method: 'POST',
      path: `${path}/code`,
      body,
      budget: briefly,
    });
    if (sent !== null) setSentAt(Date.now());
  }
  const isTooSoon = sending.failure?.type === 'refused' && sending.failure.status === 429;
  useEffect(() => {
    // When that was is not told.
    if (isTooSoon) setSentAt((at) => at ?? Date.now());
  }, [isTooSoon]);
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) void send();
    isFirst.current = false;
  }, []);

  async function verify(typed: string) {
    const body = { code: typed };
    const done = await verifying.send({ method: 'POST', path: `${path}/verify`, body });
    if (done !== null) onClose();
  }
  return (
    <Dialog isOpen title={words.codeTitle} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p role="status" className="text-pretty text-ink2">
          {textOf({ isTooSoon, sentAt, contact })}
        </p>
        {isTooSoon && sending.failure ? (
          <p className="text-sm text-pretty text-ink3">{failureText(sending.failure)}</p>
        ) : (
          <FailedWrite failure={sending.failure} />
        )}
        <Form
          save={words.verify}
          isPending={verifying.isPending}
          failure={verifying.failure}
          onSave={() => void verify(code)}
        >
          <TextField
            path="code"
            label={words.code}
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={(text) => {
              const typed = codeOf(text);
              setCode(typed);
              if (typed.length === 6 && typed !== code) void verify(typed);
            }}
          />
        </Form>
        <Resend
          isCall={rings(contact.channel)}
          sentAt={sentAt}
          isPending={sending.isPending}
          onSend={() => void send()}
        />
      </div>
    </Dialog>
  );
}

type Sent = { isTooSoon: boolean; sentAt: number | null; contact: Contact };

function textOf({ isTooSoon, sentAt, contact: { channel, address } }: Sent): string {
  if (isTooSoon) return words.codeSentBefore(address);
  if (sentAt === null) return words.codeNotSent;
  return rings(channel) ? words.codeCalled(address) : words.codeSent(address);
}

type ResendProps = {
  isCall: boolean;
  sentAt: number | null;
  isPending: boolean;
  onSend: () => void;
};

function Resend({ isCall, sentAt, isPending, onSend }: ResendProps) {
  const [again, againIn] = isCall
    ? [words.callAgain, words.callAgainIn]
    : [words.resend, words.resendIn];
  const now = useSecond();
  const seconds = sentAt === null ? 0 : Math.ceil((sentAt + PAUSE_MS - now) / 1_000);
  return (
    <Button className="self-start" disabled={isPending || seconds > 0} onClick={onSend}>
      {seconds > 0 ? againIn(remaining(seconds)) : again}
    </Button>
  );
}
