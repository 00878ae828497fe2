import { useEffect, useRef, useState } from 'react';

/** Between the last key and the question. */
const PAUSE_MS = 300;

type SearchFieldProps = { label: string; text: string; onChange: (text: string) => void };

/** `/` leads to it. What is typed becomes the text after a short pause, or at once by Enter. */
export function SearchField({ label, text, onChange }: SearchFieldProps) {
  const [typed, setTyped] = useState(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sent = useRef(text);
  // What comes back of what was typed is older than what is typed by now, and without its spaces.
  useEffect(() => {
    if (text === sent.current) return;
    sent.current = text;
    clearTimeout(timer.current);
    setTyped(text);
  }, [text]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (next: string, ms: number) => {
    setTyped(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = next.trim();
      onChange(sent.current);
    }, ms);
  };
  return (
    <search className="ms-auto min-w-0 shrink-9999">
      <input
        type="search"
        data-search
        aria-label={label}
        placeholder={label}
        value={typed}
        maxLength={200}
        onChange={({ target }) => change(target.value, PAUSE_MS)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') change(currentTarget.value, 0);
          if (key === 'Escape') currentTarget.blur();
        }}
        className="h-8 w-56 max-w-full rounded-md border border-edge bg-surface px-2.5 placeholder:text-ink3 pointer-coarse:h-10 pointer-coarse:text-lg"
      />
    </search>
  );
}
