import type { PointerEvent } from 'react';
import { Icon } from './icon.tsx';
import { placeAfterDrag } from './moved.ts';

type DragHandleProps = {
  label: string;
  /** What tells this row from those next to it. */
  value: string;
  /** With the value of the row in whose place it was dropped. */
  onDrop: (value: string) => void;
};

/** Drags the row that it is in. For the keyboard there have to be buttons that do the same. */
export const DragHandle = ({ label, value, onDrop }: DragHandleProps) => (
  <span
    aria-hidden="true"
    title={label}
    data-drag={value}
    onPointerDown={(event) => drag(event, onDrop)}
    className="inline-flex size-8 shrink-0 cursor-grab touch-none items-center justify-center text-ink3 hover:text-ink active:cursor-grabbing pointer-coarse:size-11"
  >
    <Icon name="grip-vertical" />
  </span>
);

const rowOf = (handle: Element) => handle.closest<HTMLElement>('li, fieldset');

function drag(event: PointerEvent<HTMLElement>, onDrop: (value: string) => void): void {
  const handle: HTMLElement = event.currentTarget;
  const row = rowOf(handle);
  if (event.button !== 0 || row?.parentElement == null) return;
  event.preventDefault();
  const handles = [...row.parentElement.querySelectorAll('[data-drag]')].filter(
    (one) => rowOf(one)?.parentElement === row.parentElement,
  );
  const rows = handles.flatMap((one) => rowOf(one) ?? []);
  const places = rows.map((one) => one.getBoundingClientRect());
  const index = rows.indexOf(row);
  const from = event.clientY + window.scrollY;
  let to = index;
  const show = (by: number) => {
    to = placeAfterDrag(places, index, by);
    for (const [at, { style }] of rows.entries()) {
      const isPassed = at !== index && (at - index) * (at - to) <= 0;
      const aside = Math.sign(index - to) * (places[index]?.height ?? 0);
      style.translate = `0 ${at === index ? by : isPassed ? aside : 0}px`;
    }
  };
  const end = () => {
    listening.abort();
    for (const { style } of rows) style.translate = '';
    row.classList.remove('dragged');
  };
  const listening = new AbortController();
  const { signal } = listening;
  handle.setPointerCapture(event.pointerId);
  row.classList.add('dragged');
  handle.addEventListener('pointermove', (at) => show(at.clientY + window.scrollY - from), {
    signal,
  });
  handle.addEventListener('pointercancel', end, { signal });
  handle.addEventListener(
    'pointerup',
    () => {
      end();
      const value = handles[to]?.getAttribute('data-drag');
      if (to !== index && value) onDrop(value);
    },
    { signal },
  );
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && end(), { signal });
}
