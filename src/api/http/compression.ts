// Large answers of the API leave compressed, to whoever takes that. zlib does it in its own threads.
//
// The length of a compressed answer may tell of a secret in it, if somebody can have it sent again
// and again with guesses beside the secret: browsers say when another site makes them ask, and then
// nothing is compressed. Sign-in, below /auth, and streams are not compressed at all.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { httpLimits } from '../../limits/http.ts';

const compress = promisify(gzip);

export function compressAnswers(api: FastifyInstance): void {
  api.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < httpLimits.compressedAnswer) return payload;
    reply.header('vary', 'accept-encoding, sec-fetch-site');
    if (!takesGzip(request)) return payload;
    reply.header('content-encoding', 'gzip');
    return compress(payload);
  });
}

function takesGzip({ headers }: FastifyRequest): boolean {
  const { 'accept-encoding': accepted, 'sec-fetch-site': site = 'same-origin' } = headers;
  const all = String(accepted ?? '').split(',');
  const isNamed = all.some((one) => /^\s*gzip\s*(;\s*q=(1|0\.\d*[1-9]\d*)\S*)?\s*$/i.test(one));
  return site === 'same-origin' && isNamed;
}
