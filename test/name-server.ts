// A name server on loopback, for tests.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

const PORT_TRIES = 20;

/** What it says of a name; of one that it is not told, that there is no such name. */
export type NameAnswer = {
  readonly addresses?: readonly string[];
  readonly failure?: 'SERVFAIL';
  readonly isSilent?: boolean;
  /** Only by TCP does the whole answer come. */
  readonly isLarge?: boolean;
  /** Of IPv6 addresses nothing is heard. */
  readonly isHalfSilent?: boolean;
};

export type NameServer = AsyncDisposable & {
  /** As a resolver takes it. */
  readonly address: string;
  /** Each question, as `A name` or `AAAA name`. */
  readonly questions: string[];
};

export async function startNameServer(
  names: Readonly<Record<string, NameAnswer>>,
): Promise<NameServer> {
  const questions: string[] = [];
  const answer = (question: Buffer, byTcp: boolean) => {
    const { name, type } = readQuestion(question);
    questions.push(`${type} ${name}`);
    const record = names[name];
    const isSilent = record?.isSilent || (record?.isHalfSilent && type === 'AAAA');
    return isSilent
      ? null
      : written(question, { record, type, isCut: !!record?.isLarge && !byTcp });
  };
  const { socket, server } = await bindBoth((question) => answer(question, true));
  socket.on('message', (question, { port: from }) => {
    const message = answer(question, false);
    if (message) socket.send(message, from, '127.0.0.1');
  });
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    async [Symbol.asyncDispose]() {
      socket.close();
      await new Promise((closed) => server.close(closed));
    },
  };
}

type AnswerByTcp = (question: Buffer) => Buffer | null;

/** A port that is free for UDP may be another program's for TCP: then another one is taken. */
async function bindBoth(answer: AnswerByTcp): Promise<{ socket: Socket; server: Server }> {
  for (let tries = PORT_TRIES; ; tries -= 1) {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    try {
      return { socket, server: await listenByTcp(socket.address().port, answer) };
    } catch (error) {
      socket.close();
      if (tries === 1) throw error;
    }
  }
}

async function listenByTcp(port: number, answer: AnswerByTcp): Promise<Server> {
  const server = createServer((connection) => {
    let heard = Buffer.alloc(0);
    connection.on('error', () => {});
    connection.on('data', (piece: Buffer) => {
      heard = Buffer.concat([heard, piece]);
      while (heard.length >= 2 && heard.length >= 2 + heard.readUInt16BE(0)) {
        const end = 2 + heard.readUInt16BE(0);
        const message = answer(heard.subarray(2, end));
        heard = heard.subarray(end);
        if (message) connection.write(Buffer.concat([uint16(message.length), message]));
      }
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const HEADER_BYTES = 12;
const TYPES: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' };

function readQuestion(message: Buffer): { name: string; type: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = message.readUInt16BE(at + 1);
  return { name: labels.join('.').toLowerCase(), type: TYPES[type] ?? String(type), end: at + 5 };
}

type Answer = {
  readonly record: NameAnswer | undefined;
  readonly type: string;
  readonly isCut: boolean;
};

function written(question: Buffer, { record, type, isCut }: Answer): Buffer {
  const { end } = readQuestion(question);
  const fits = (address: string) => address.includes(':') === (type === 'AAAA');
  const addresses = isCut ? [] : (record?.addresses ?? []).filter(fits);
  const code = record === undefined ? 3 : record.failure ? 2 : 0;
  const flags = 0x8180 | (isCut ? 0x0200 : 0) | code;
  const counts = [1, addresses.length, 0, 0].map(uint16);
  const header = Buffer.concat([question.subarray(0, 2), uint16(flags), ...counts]);
  return Buffer.concat([header, question.subarray(HEADER_BYTES, end), ...addresses.map(recordOf)]);
}

/** Its name is that of the question; it is good for a minute. */
function recordOf(address: string): Buffer {
  const isV6 = address.includes(':');
  const bytes = isV6 ? bytesOfV6(address) : Buffer.from(address.split('.').map(Number));
  const fixed = [0xc00c, isV6 ? 28 : 1, 1, 0, 60, bytes.length].map(uint16);
  return Buffer.concat([...fixed, bytes]);
}

function bytesOfV6(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) => text.split(':').filter(Boolean);
  const zeros = Array(8 - groups(head).length - groups(tail).length).fill('0');
  const all = [...groups(head), ...zeros, ...groups(tail)];
  return Buffer.concat(all.map((group) => uint16(Number.parseInt(group, 16))));
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
