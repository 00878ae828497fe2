import type { ComponentProps } from 'react';
import { connection } from '../api/connection.ts';
import { useStore } from '../api/use-store.ts';
import { Button } from './button.tsx';
import { words } from './words.ts';

/** Of what the server has to do: without a connection it says why it does nothing. */
export function WriteButton({ onClick, className = '', ...rest }: ComponentProps<typeof Button>) {
  const isOffline = useStore(connection) === 'offline';
  if (!isOffline) return <Button {...rest} className={className} onClick={onClick} />;
  return (
    <Button
      {...rest}
      aria-disabled
      title={words.offline}
      aria-description={words.offline}
      className={`opacity-50 ${className}`}
    />
  );
}
