// Which methods a path takes, for requests that no route takes.
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a route that refuses all or nearly all: its method counts as not taken. */
    readonly refuses?: true;
  }
}

export type MethodsOf = (path: string) => readonly string[];

/** Notes every route that is registered from now on. */
export function noteMethods(app: FastifyInstance): MethodsOf {
  const routes: { readonly form: RegExp; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method, config }) => {
    if (!config?.refuses) routes.push({ form: formOf(url), methods: [method].flat() });
  });
  return (path) => {
    const fitting = routes.filter(({ form }) => form.test(path));
    return [...new Set(fitting.flatMap(({ methods }) => methods))];
  };
}

/** A part of a path that is a parameter fits any text without a slash, `*` fits all that follows. */
const formOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .split('/')
      .map((part) => {
        if (part === '*') return '.*';
        return part.startsWith(':') ? '[^/]+' : RegExp.escape(part);
      })
      .join('/')}$`,
  );
