// What JSX becomes in the dashboard. Names, titles and notes are anybody's: their hidden characters are
// made visible here, so that no page can forget it. Fields keep their values as they are.
import { jsx as element, jsxs as elements, Fragment } from 'react/jsx-runtime';
import { visibleText } from '../resources/visible-text.ts';

export type { JSX } from 'react/jsx-runtime';
export { Fragment };

/** Where the reader's own dates and numbers have marks of direction, all of them stay. */
const keepsMarks = /[\u061c\u200e\u200f]/.test(
  new Intl.NumberFormat(undefined, { style: 'percent' }).format(-1),
);

function visible(child: unknown): unknown {
  if (typeof child === 'string') return visibleText(child, { keepsMarks });
  return Array.isArray(child) ? child.map(visible) : child;
}

const withVisible =
  (make: typeof element): typeof element =>
  (type, props, key) => {
    const { children } = props as { readonly children?: unknown };
    const isText = typeof children === 'string' || Array.isArray(children);
    return make(type, isText ? { ...(props as object), children: visible(children) } : props, key);
  };

export const jsx = withVisible(element);
export const jsxs = withVisible(elements);
