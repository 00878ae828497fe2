import type { ReactNode } from 'react';
import { type Failure, failureText } from '../../client/answer.ts';
import { Button } from './button.tsx';
import { words } from './words.ts';

/** In place of a list: nothing is there, or what is there could not be read. */
function Panel({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-center gap-2 px-4 py-16 text-center">
      <h2 className="text-lg font-bold text-balance">{title}</h2>
      {children}
    </div>
  );
}

export function Empty({
  title,
  text,
  children,
}: {
  title: string;
  text: string;
  children?: ReactNode;
}) {
  return (
    <Panel title={title}>
      <p className="text-ink2 text-pretty">{text}</p>
      {children}
    </Panel>
  );
}

type TroubleProps = { title: string; failure: Failure; retry: () => void };

/** The API's own sentence, by which its operator finds the request. */
export function Trouble({ title, failure, retry }: TroubleProps) {
  return (
    <div role="alert">
      <Panel title={title}>
        <p className="text-ink2 text-pretty">{failureText(failure)}</p>
        <Button icon="refresh-cw" onClick={retry}>
          {words.retry}
        </Button>
      </Panel>
    </div>
  );
}
