import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { EgressFailure } from './errors.js';

export interface BoundedBody {
  /** Decoded bytes, at most the limit; none when they were watched. */
  readonly bytes: Buffer;
  /** There was more than the limit; the connection was cut. */
  readonly truncated: boolean;
  /** Bytes received, before decompression. */
  readonly wireBytes: number;
}

class LimitReached extends Error {}

/**
 * Collects a body, undoing `Content-Encoding`, and stops at `limit` decoded bytes: the rest is never read,
 * so neither a huge body nor a small one that inflates without end costs more memory than the limit.
 * @param watch told decoded bytes as they come, which then are not kept; what it throws ends the reading
 * @throws EgressFailure for an unknown encoding; stream and zlib errors as they come.
 */
export async function readBounded(
  body: Readable,
  contentEncoding: string,
  limit: number,
  watch?: (bytes: Buffer) => void,
): Promise<BoundedBody> {
  const decoders = decodersFor(contentEncoding, body);
  const chunks: Buffer[] = [];
  let wireBytes = 0;
  let size = 0;
  let truncated = false;
  const count = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      wireBytes += chunk.length;
      yield chunk;
    }
  };
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      if (size + chunk.length > limit) {
        if (watch === undefined) chunks.push(chunk.subarray(0, limit - size));
        truncated = true;
        throw new LimitReached();
      }
      size += chunk.length;
      if (watch === undefined) chunks.push(chunk);
      else watch(chunk);
    }
  };
  try {
    await pipeline([body, count, ...decoders, collect] as unknown as [Readable, NodeJS.WritableStream]);
  } catch (error) {
    // An answer without a body (to HEAD, or an empty one) may still name an encoding.
    const empty = wireBytes === 0 && (error as { code?: unknown }).code === 'Z_BUF_ERROR';
    if (!truncated && !empty) throw error;
  }
  return { bytes: Buffer.concat(chunks), truncated, wireBytes };
}

function decodersFor(contentEncoding: string, body: Readable): NodeJS.ReadWriteStream[] {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  // Each layer multiplies what a few bytes can cost; honest servers use one.
  if (names.length > 2 || names.some((name) => !/^(x-)?gzip$|^deflate$|^br$/.test(name))) {
    body.destroy();
    throw new EgressFailure('encoding', 'the backend’s answer has a Content-Encoding that is not understood', true);
  }
  return names.reverse().map((name) => {
    if (name === 'br') return createBrotliDecompress();
    return name === 'deflate' ? createInflate() : createGunzip();
  });
}
