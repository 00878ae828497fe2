import { type ComponentType, lazy } from 'react';
import { loadPart } from '../api/load-part.ts';

/** The one component of a module, which is loaded when it is first shown. */
export const lazyPart = <Name extends string, Props>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
) => lazy(async () => ({ default: (await loadPart(load))[name] }));
