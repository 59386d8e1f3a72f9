import type { HostRequest } from '../hosts/host.ts';
import type { Tokens } from './budget.ts';
import { imageTokens, type ModelPrice } from './prices.ts';

/** UTF-8 bytes a token, at least: ordinary English has about 4, so the estimate is on the safe side. */
const BYTES_PER_TOKEN = 3;
/** Wrappers a provider puts round messages and schema. */
const OVERHEAD = 64;
/** Tokens of a picture when the price file has no rule: the most a common one takes at 1024 px. */
const IMAGE_TOKENS = 1600;

/** The most tokens a request may take: what a budget sets aside. Text is estimated from its bytes. */
export function mostTokens(request: HostRequest, price: ModelPrice | null, width: number, height: number): Tokens {
  const schema = request.schema === null ? '' : JSON.stringify(request.schema);
  const bytes = Buffer.byteLength(request.system) + Buffer.byteLength(request.text) + Buffer.byteLength(schema);
  const image = price === null ? IMAGE_TOKENS : imageTokens(price.image, width, height, request.detail);
  return {
    input: Math.ceil(bytes / BYTES_PER_TOKEN) + OVERHEAD + image * request.images.length,
    output: request.maxTokens,
  };
}
