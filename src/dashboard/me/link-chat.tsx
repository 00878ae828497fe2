import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useWrite } from '../api/use-write.ts';
import { type Contact, contactsQuery } from '../people/queries.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { channelNames } from '../ui/channel.ts';
import { CopyField } from '../ui/copy-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Icon } from '../ui/icon.tsx';
import { Moment } from '../ui/moment.tsx';
import { useSecond } from '../ui/now.ts';
import { type Qr, QrCode } from '../ui/qr-code.tsx';
import { accountOf, type LinkedChannel, linkedChats, linkedSince } from './linked.ts';
import { words as meWords } from './words.ts';

const words = meWords.link;
/** While somebody goes to their messenger and comes back. */
const AGAIN_MS = 1_500;
/** A fresh connection may be accepted meanwhile. */
const briefly = { retriesMax: 4, totalMs: 10_000 };

type Code = {
  readonly code: string;
  readonly account: string;
  readonly text: string;
  readonly url: string;
  readonly qr: Qr;
  readonly expires_at: string;
};

type LinkChatProps = {
  userId: string;
  channel: LinkedChannel;
  contacts: readonly Contact[];
  onClose: () => void;
};

/** Makes a code when it opens, and sees by the person's contacts that it was used. */
export function LinkChatDialog({ userId, channel, contacts, onClose }: LinkChatProps) {
  const name = channelNames[channel];
  useQuery({ ...contactsQuery(userId), refetchInterval: AGAIN_MS });
  const [before] = useState(contacts);
  const linked = linkedSince(before, contacts, channel);
  const making = useWrite();
  const [code, setCode] = useState<Code | null>(null);
  async function make() {
    const path = `/users/${userId}/link-codes`;
    const body = { channel };
    const made = await making.send({ method: 'POST', path, body, budget: briefly });
    // What this version of the API answers, as docs/openapi.json has it.
    if (made !== null) setCode(made as unknown as Code);
  }
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) void make();
    isFirst.current = false;
  }, []);
  useReadAnew(linked !== undefined);
  return (
    <Dialog isOpen title={words.title(name)} onClose={onClose}>
      <div className="flex flex-col gap-4">
        {linked === undefined && code !== null && (
          <Ways
            code={code}
            name={name}
            account={accountOf(channel, code.account)}
            before={linkedChats(before, channel)}
            onAnother={() => void make()}
          />
        )}
        <div role="status" className="text-pretty">
          {linked === undefined ? (
            <p className="text-ink2">{waitingText(code, making.isPending)}</p>
          ) : (
            <>
              <p className="flex items-center gap-1.5 font-medium text-green">
                <Icon name="check" />
                {words.linked(linked.address)}
              </p>
              <p>{words.linkedText(name)}</p>
            </>
          )}
        </div>
        {linked === undefined && <FailedWrite failure={making.failure} />}
        {linked !== undefined && (
          <Button kind="primary" className="self-start" onClick={onClose}>
            {words.done}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function waitingText(code: Code | null, isPending: boolean): string {
  if (isPending) return words.making;
  return code === null ? words.notMade : words.waiting;
}

/** Whether somebody can be reached changes with it, and no hint says so. */
function useReadAnew(isLinked: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!isLinked) return;
    for (const queryKey of [['users'], ['attention']]) void queries.invalidateQueries({ queryKey });
  }, [isLinked, queries]);
}

type WaysProps = {
  code: Code;
  /** Of the channel. */
  name: string;
  account: string;
  before: readonly { readonly id: string; readonly address: string }[];
  onAnother: () => void;
};

function Ways({ code, name, account, before, onAnother }: WaysProps) {
  const { text, url, qr, expires_at } = code;
  const isOver = useSecond() >= Date.parse(expires_at);
  if (isOver)
    return (
      <>
        <p>{words.ended}</p>
        <Button className="self-start" onClick={onAnother}>
          {words.another}
        </Button>
      </>
    );
  return (
    <>
      <p className="text-pretty">{words.text}</p>
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        className={`${buttonClass('primary')} self-start`}
      >
        <Icon name="external-link" />
        {words.open(account)}
      </a>
      <div className="flex flex-col gap-2">
        <p className="text-sm text-pretty text-ink2">{words.scan(name)}</p>
        <QrCode label={words.qr} qr={qr} />
      </div>
      <CopyField label={words.paste(account)} text={text} />
      <div className="text-sm text-ink3">
        <p>
          {words.until} <Moment at={expires_at} />.
        </p>
        {before.map(({ id, address }) => (
          <p key={id}>{words.before(address)}</p>
        ))}
      </div>
    </>
  );
}
