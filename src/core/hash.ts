import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { canonicalJson } from './json.ts';

/** SHA-256 of bytes or UTF-8 text, 64 lower-case hex digits. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** SHA-256 of the canonical JSON (RFC 8785) of a value. */
export function hashJson(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** SHA-256 of a file's bytes, read as a stream. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}
