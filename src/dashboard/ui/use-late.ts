import { useEffect, useState } from 'react';

const PAUSE_MS = 400;

/** What a value was a moment ago: not every key asks the server. */
export function useLate<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  const [late, setLate] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLate(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(late) as Value;
}
