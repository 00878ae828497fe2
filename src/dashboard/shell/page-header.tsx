import type { ReactNode } from 'react';

export function PageHeader({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="sticky top-0 z-20 flex h-13 items-center gap-3 border-b border-line bg-bg px-4 md:px-5">
      <h1 className="text-xl font-bold md:text-lg">{title}</h1>
      {children}
    </header>
  );
}
