import { Icon } from './icon.tsx';
import { words } from './words.ts';

export const states = [
  ...(['triggered', 'unpaged', 'acknowledged'] as const),
  ...(['resolved', 'muted', 'merged'] as const),
] as const;
export type State = (typeof states)[number];

/** A state is a shape, a colour and a word; the word is for who does not see the shape. */
export function StateShape({ state }: { state: State }) {
  return (
    <span className={`inline-flex ${colours[state]}`}>
      <Shape state={state} />
      <span className="sr-only">{words.state[state]}</span>
    </span>
  );
}

const colours: Readonly<Record<State, string>> = {
  triggered: 'text-red',
  unpaged: 'text-red',
  acknowledged: 'text-amber',
  resolved: 'text-green',
  muted: 'text-ink3',
  merged: 'text-ink3',
};

function Shape({ state }: { state: State }) {
  switch (state) {
    case 'triggered':
      return (
        <svg aria-hidden="true" viewBox="0 0 18 18" className="size-4.5">
          <path
            d="M9 2.4 16.4 15a.9.9 0 0 1-.78 1.35H2.38A.9.9 0 0 1 1.6 15Z"
            fill="currentColor"
            stroke="currentColor"
            strokeLinejoin="round"
          />
          <path d="M9 7v4.2" stroke="var(--color-bg)" strokeWidth="1.8" strokeLinecap="round" />
          <circle cx="9" cy="13.6" r="1.1" fill="var(--color-bg)" />
        </svg>
      );
    case 'unpaged':
      return (
        <svg aria-hidden="true" viewBox="0 0 18 18" className="size-4.5">
          <path d="M5.9 1.5h6.2l4.4 4.4v6.2l-4.4 4.4H5.9l-4.4-4.4V5.9Z" fill="currentColor" />
          <path
            d="m6.3 6.3 5.4 5.4m0-5.4-5.4 5.4"
            stroke="var(--color-bg)"
            strokeWidth="1.8"
            strokeLinecap="round"
          />
        </svg>
      );
    case 'acknowledged':
      return (
        <svg aria-hidden="true" viewBox="0 0 18 18" className="size-4.5">
          <circle cx="9" cy="9" r="6.6" fill="none" stroke="currentColor" strokeWidth="1.8" />
          <path d="M9 2.4a6.6 6.6 0 0 1 0 13.2Z" fill="currentColor" />
        </svg>
      );
    case 'resolved':
      return <Icon name="check" className="size-4.5" />;
    case 'muted':
      return <Icon name="bell-off" className="size-4.5" />;
    case 'merged':
      return <Icon name="merge" className="size-4.5" />;
  }
}
