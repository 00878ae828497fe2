type GroupHeadingProps = {
  id: string;
  text: string;
  count: string;
  notes?: readonly string[];
};

export function GroupHeading({ id, text, count, notes = [] }: GroupHeadingProps) {
  return (
    <div className="flex flex-wrap gap-x-2 px-4 pt-4 pb-1.5 text-sm text-ink2 md:px-5 md:text-xs">
      <h2 id={id} className="text-[length:inherit]">
        {text} <span className="ms-1">{count}</span>
      </h2>
      {notes.length > 0 && <p>{notes.join(' · ')}</p>}
    </div>
  );
}
