// A tool's declaration as an integration type.
import { eventsLimits } from '../../limits/events.ts';
import type { About, AlertRequest, HttpRequest, Reading, Secrets } from '../alert.ts';
import { contentOf } from '../body/content.ts';
import { bounded, isSpent, TooMuchWork } from '../effort.ts';
import { firstEventOf } from '../first-event.ts';
import type { IntegrationType } from '../integration-type.ts';
import { readMail } from '../mail.ts';
import { mailNote } from '../mail-guides.ts';
import { publishedIn } from '../published.ts';
import { readMappedMail } from './mapped-mail.ts';
import type { Mapping, Tool } from './notation.ts';
import { NotationError } from './notation-error.ts';
import { type Reader, type Recognise, readerOf } from './reader.ts';
import { withShownDetails } from './shown-details.ts';

const readers = new WeakMap<Tool, Reader>();
/** A mapping may meet several tools: by its address an event can be of another than its integration. */
const mapped = new WeakMap<Mapping, Map<Tool, Reader>>();

/** Compiled when it is first used: there are many tools, and few send to one installation. */
export function compiled(tool: Tool): Reader {
  const known = readers.get(tool) ?? readerOf(tool);
  readers.set(tool, known);
  return known;
}

function compiledWith(mapping: Mapping, tool: Tool): Reader {
  const byTool = mapped.get(mapping) ?? new Map<Tool, Reader>();
  mapped.set(mapping, byTool);
  const known = byTool.get(tool) ?? readerOf(tool, mapping.forms);
  byTool.set(tool, known);
  return known;
}

/**
 * A mapping never loses an event: one that this server cannot use, because another version of it
 * stored it or because it takes too long, leaves the event to the type.
 */
function withMapping(byMapping: () => Reading, byType: () => Reading): Reading {
  try {
    return bounded(eventsLimits.mappingWork, byMapping);
  } catch (error) {
    if (error instanceof TooMuchWork && isSpent()) throw error;
    const reading = byType();
    const reason =
      error instanceof NotationError || error instanceof TooMuchWork
        ? error.message
        : 'this version does not understand it';
    const note = `the mapping was not used: ${reason}`;
    return 'unreadable' in reading ? reading : { ...reading, note };
  }
}

/** `sns`: the tool of messages of Amazon SNS, through which comes what any tool sends. */
export function integrationTypeOf(tool: Tool, recognise: Recognise, sns?: Tool): IntegrationType {
  const { slug, name, description, problem, testRequest, isOfQuery } = tool;
  const guide = {
    steps: tool.guide.steps,
    snippets: [...(tool.guide.snippets ?? []), ...firstEventOf(tool)],
    notes: [...(tool.guide.notes ?? []), ...mailNote(slug)],
  };
  const { knownAs, logo, headers, envelope, groupLimit, handshake, busy, status } = tool;
  return {
    slug,
    name,
    description,
    problem,
    guide,
    guide_url: `/docs/integrations/${slug}`,
    ...(knownAs !== undefined && { knownAs }),
    ...(logo !== undefined && { logo }),
    ...(headers !== undefined && { headers }),
    ...(envelope !== undefined && { envelope }),
    ...(groupLimit !== undefined && { groupLimit }),
    ...(handshake !== undefined && { handshake }),
    ...(busy !== undefined && { busy }),
    ...(status !== undefined && { status }),
    ...(isOfQuery !== undefined && { isOfQuery }),
    read: (request, about, mapping) => withShownDetails(read(request, about, mapping), about),
    secretsIn,
    testRequest:
      testRequest ??
      (({ title, note }) => ({ source: 'http', json: { title, message: note, test: true } })),
  };

  function readHttp(request: HttpRequest, about: About): Reading {
    const published = tool.envelope === 'sns' ? undefined : publishedIn(request);
    if (published === undefined || sns === undefined)
      return compiled(tool).read(request, about, recognise);
    const { message, inner } = published;
    const isOfTool = inner !== undefined && compiled(tool).recognises(inner, message);
    const isOfSns = inner === undefined || compiled(sns).recognises(inner, message);
    if (isOfSns && !isOfTool) return compiled(sns).read(request, about, recognise);
    return compiled(tool).read(inner ?? request, about, recognise);
  }

  function read(request: AlertRequest, about: About, mapping?: Mapping): Reading {
    const byType = (): Reading =>
      request.source === 'mail' ? readMail(request, about) : readHttp(request, about);
    if (mapping === undefined || mapping.forms.length === 0) return byType();
    // Parsing is no work of the mapping, whoever asks for the content first.
    if (request.source === 'http') contentOf(request.body, request.contentType);
    const byMapping = (): Reading =>
      request.source === 'mail'
        ? readMappedMail(request, byType(), { about, mapping })
        : compiledWith(mapping, tool).read(request, about, recognise);
    return withMapping(byMapping, byType);
  }

  function secretsIn(request: HttpRequest, mapping?: Mapping): Secrets {
    const byType = () => compiled(tool).secretsIn(request);
    if (mapping === undefined || mapping.forms.length === 0) return byType();
    try {
      return bounded(eventsLimits.mappingWork, () =>
        compiledWith(mapping, tool).secretsIn(request),
      );
    } catch (error) {
      if (error instanceof TooMuchWork && isSpent()) throw error;
      // As it is read then: by the type alone.
      return byType();
    }
  }
}
