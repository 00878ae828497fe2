// What is kept of a mail while it arrives: its headers, its texts, and of attachments only their
// headers. Attachments are never read, so they take no memory, however large they are.
import { Transform, type TransformCallback } from 'node:stream';
import { mailLimits } from '../../limits/mail.ts';

/** In front of a mail of which more was left out than attachments. */
export const CUT_HEADER = 'x-pager-cut';

const NEWLINE = 0x0a;
const DASH = 0x2d;
/** A longer line is no boundary, and passes in pieces. */
const LINE_BYTES = 16 * 1024;

export class WithoutAttachments extends Transform {
  readonly #bytesMax: number;
  /** Of the parts that are open, the outermost first. */
  readonly #boundaries: string[] = [];
  #mode: 'headers' | 'text' | 'attachment' = 'headers';
  #headers = '';
  /** The last line as far as it arrived; `#isStart`: from its first byte. */
  #rest: Buffer = Buffer.alloc(0);
  #isStart = true;
  #size = 0;
  #isCut = false;

  constructor(bytesMax: number) {
    super();
    this.#bytesMax = bytesMax;
  }

  /** Whether more than attachments was left out, because it is too long. */
  get isCut(): boolean {
    return this.#isCut;
  }

  override _transform(piece: Buffer, _encoding: string, done: TransformCallback): void {
    const all = this.#rest.length > 0 ? Buffer.concat([this.#rest, piece]) : piece;
    const stored: Buffer[] = [];
    let at = 0;
    for (let end = all.indexOf(NEWLINE); end >= 0; end = all.indexOf(NEWLINE, at)) {
      this.#take(all.subarray(at, end + 1), stored);
      this.#isStart = true;
      at = end + 1;
    }
    this.#rest = all.subarray(at);
    if (this.#rest.length > LINE_BYTES) this.#takeRest(stored);
    done(null, Buffer.concat(stored));
  }

  override _flush(done: TransformCallback): void {
    const stored: Buffer[] = [];
    this.#takeRest(stored);
    done(null, Buffer.concat(stored));
  }

  #takeRest(stored: Buffer[]): void {
    this.#take(this.#rest, stored);
    this.#rest = Buffer.alloc(0);
    this.#isStart = false;
  }

  #take(line: Buffer, stored: Buffer[]): void {
    const isBoundary = this.#isStart && this.#boundaryIn(line);
    const isHeader = !isBoundary && this.#mode === 'headers';
    if (!isBoundary && this.#mode === 'attachment') return;
    if (this.#size + line.length > this.#bytesMax) this.#isCut = true;
    if (!this.#isCut) {
      this.#size += line.length;
      stored.push(line);
    }
    if (isHeader) this.#header(line);
  }

  /** Whether a part begins or ends here. */
  #boundaryIn(line: Buffer): boolean {
    if (this.#boundaries.length === 0 || line[0] !== DASH || line[1] !== DASH) return false;
    const text = line.toString('latin1').trimEnd().slice(2);
    const at = this.#boundaries.findLastIndex((one) => text === one || text === `${one}--`);
    const boundary = this.#boundaries[at];
    if (boundary === undefined) return false;
    const isEnd = text !== boundary;
    this.#boundaries.length = isEnd ? at : at + 1;
    this.#mode = isEnd ? 'text' : 'headers';
    this.#headers = '';
    return true;
  }

  #header(line: Buffer): void {
    const isEmpty = this.#isStart && /^\r?\n$/.test(line.toString('latin1', 0, 3));
    if (isEmpty) this.#mode = this.#modeOf(this.#headers.replace(/\r?\n[ \t]+/g, ' '));
    else if (this.#headers.length < mailLimits.headers) this.#headers += line.toString('latin1');
  }

  #modeOf(headers: string): 'headers' | 'text' | 'attachment' {
    const [, type = 'text/plain', parameters = ''] = CONTENT_TYPE.exec(headers) ?? [];
    const isMultipart = /^multipart\//i.test(type);
    this.#headers = '';
    if (isMultipart) {
      const [, quoted, bare] = BOUNDARY.exec(parameters) ?? [];
      const boundary = (quoted ?? bare)?.trimEnd();
      if (boundary && this.#boundaries.length < mailLimits.nesting) this.#boundaries.push(boundary);
      return 'text';
    }
    if (/^content-disposition:\s*attachment\b/im.test(headers)) return 'attachment';
    const isEncoded = /^content-transfer-encoding:\s*(?:base64|quoted-printable)\b/im.test(headers);
    if (/^message\/rfc822$/i.test(type)) return isEncoded ? 'text' : 'headers';
    return /^(?:text|message)\//i.test(type) || !type.includes('/') ? 'text' : 'attachment';
  }
}

const CONTENT_TYPE = /^content-type:\s*([^\s;]{1,200})([^\r\n]*)/im;
const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i;
