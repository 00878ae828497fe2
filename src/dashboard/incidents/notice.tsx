import { Button } from '../ui/button.tsx';

type NoticeProps = { text: string; action?: string; onAction?: () => void };

/** Above the list, also while it is scrolled. */
export function Notice({ text, action, onAction }: NoticeProps) {
  return (
    <div className="short:top-0 sticky top-13 z-10 flex items-center gap-3 border-y border-line bg-amber-tint px-4 py-2 md:px-5">
      <span className="font-medium">{text}</span>
      {action && (
        <Button className="ms-auto" onClick={onAction}>
          {action}
        </Button>
      )}
    </div>
  );
}
