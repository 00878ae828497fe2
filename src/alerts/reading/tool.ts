// A tool's declaration as an integration type.
import type { About, AlertRequest, IntegrationType, Reading } from '../alert.ts';
import { readMail } from '../mail.ts';
import type { Tool } from './notation.ts';
import { type Reader, type Recognise, readerOf } from './reader.ts';

const readers = new WeakMap<Tool, Reader>();

/** Compiled when it is first used: there are many tools, and few send to one installation. */
export function compiled(tool: Tool): Reader {
  const known = readers.get(tool);
  if (known !== undefined) return known;
  const reader = readerOf(tool);
  readers.set(tool, reader);
  return reader;
}

export function integrationTypeOf(tool: Tool, recognise: Recognise): IntegrationType {
  const { slug, name, description, guide, knownAs, logo, headers } = tool;
  return {
    ...{ slug, name, description, guide, guide_url: `/docs/integrations/${slug}` },
    ...(knownAs !== undefined && { knownAs }),
    ...(logo !== undefined && { logo }),
    ...(headers !== undefined && { headers }),
    read: (request: AlertRequest, about: About): Reading =>
      request.source === 'mail'
        ? readMail(request, about)
        : compiled(tool).read(request, about, recognise),
    secretsIn: (request) => compiled(tool).secretsIn(request),
    testRequest: ({ title, note }) => ({
      source: 'http',
      json: { title, message: note, test: true },
    }),
  };
}
