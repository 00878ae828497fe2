export function Priority({ priority, isUrgent }: { priority: string; isUrgent: boolean }) {
  const colour = isUrgent ? 'border-red text-red' : 'border-line text-ink2';
  return (
    <span
      className={`inline-flex h-5 min-w-8.5 px-1 items-center justify-center rounded-sm border text-xs font-bold uppercase ${colour}`}
    >
      {priority}
    </span>
  );
}
