type GroupHeadingProps = { id: string; text: string; count: string };

export function GroupHeading({ id, text, count }: GroupHeadingProps) {
  return (
    <h2 id={id} className="px-4 pt-4 pb-1.5 text-sm text-ink2 md:px-5 md:text-xs">
      {text} <span className="ms-1">{count}</span>
    </h2>
  );
}
