import { AuditError } from '../core/errors.ts';
import { type Dtype, FAMILIES, type ModelFiles } from './model-files.ts';
import { type Feed, type OnnxSession, openSession, type Result } from './onnx-session.ts';
import type { LogitParameters } from './similarity.ts';
import type { CaptionTokenizer } from './tokenize.ts';

/** Both halves of a dual encoder, whether they live in two graphs or in one. Embeddings are as the graph gives them. */
export interface Towers {
  /** Numbers of one picture: 3 x height x width. */
  readonly pixels: number;
  /** Runs at once. */
  readonly lanes: number;
  text(captions: readonly (readonly number[])[], signal: AbortSignal): Promise<Float32Array[]>;
  /** Takes `pixels` over: the caller must not use the array again. */
  vision(pixels: Float32Array, count: number, signal: AbortSignal): Promise<Float32Array[]>;
  /** Logit scale and bias solved from a combined graph's own logits; null when it gives none. */
  logits(first: readonly number[], second: readonly number[]): Promise<LogitParameters | null>;
  close(): Promise<void>;
}

export interface TowersOptions {
  readonly shown: string;
  readonly dtype: Dtype;
  readonly device: string;
  readonly threads: number;
  readonly lanes: number;
  readonly size: { readonly width: number; readonly height: number };
  readonly tokenizer: CaptionTokenizer;
}

/** Output names in order of preference. A pooled output without projection is an embedding only in the SigLIP family. */
const TEXT_OUTPUTS = ['text_embeds', 'text_embeddings', 'l2norm_text_embeddings'];
const IMAGE_OUTPUTS = ['image_embeds', 'image_embeddings', 'l2norm_image_embeddings'];

function outputOf(session: OnnxSession, wanted: readonly string[], pooled: boolean, where: string): string {
  const names = pooled ? [...wanted, 'pooler_output'] : wanted;
  const found = names.find((name) => session.outputs.includes(name));
  if (found === undefined)
    throw new AuditError(
      `${where}: no embedding among the outputs "${session.outputs.join(', ')}"; expected one of ${names.join(', ')} (a tower exported with its projection)`,
    );
  return found;
}

const KNOWN_INPUTS = ['input_ids', 'attention_mask', 'token_type_ids', 'position_ids', 'pixel_values'];

function checkInputs(session: OnnxSession, needed: readonly string[], where: string): void {
  const unknown = session.inputs.filter((name) => !KNOWN_INPUTS.includes(name));
  if (unknown.length > 0)
    throw new AuditError(
      `${where}: unsupported input "${unknown.join(', ')}"; expected only ${KNOWN_INPUTS.join(', ')} (models of variable resolution run as a command evaluator)`,
    );
  const missing = needed.filter((name) => !session.inputs.includes(name));
  if (missing.length > 0)
    throw new AuditError(`${where}: missing input "${missing.join(', ')}"; expected a graph that reads it`);
}

function rows(result: Result, count: number): Float32Array[] {
  const width = result.data.length / count;
  return Array.from({ length: count }, (_, row) => result.data.slice(row * width, (row + 1) * width));
}

/** Opens the graph or graphs of a checked checkpoint. @throws AuditError when inputs or outputs are not a dual encoder's. */
export async function openTowers(files: ModelFiles, options: TowersOptions): Promise<Towers> {
  const { shown, size, tokenizer, lanes } = options;
  const pooled = !FAMILIES[files.family].projected;
  const open = (graph: string): Promise<OnnxSession> =>
    openSession(
      files.folder,
      {
        graph,
        dtype: options.dtype,
        device: options.device,
        threads: options.threads,
        lanes,
      },
      shown,
    );
  const combined = files.layout === 'combined';
  const text = await open(combined ? 'model' : 'text_model');
  let vision: OnnxSession;
  try {
    vision = combined ? text : await open('vision_model');
  } catch (error) {
    await text.close();
    throw error;
  }
  const close = async (): Promise<void> => {
    await text.close();
    if (!combined) await vision.close();
  };
  try {
    const textName = combined ? 'onnx/model' : 'onnx/text_model';
    const visionName = combined ? 'onnx/model' : 'onnx/vision_model';
    checkInputs(text, ['input_ids'], `${shown}/${textName}`);
    checkInputs(vision, ['pixel_values'], `${shown}/${visionName}`);
    const textOutput = outputOf(text, TEXT_OUTPUTS, pooled && !combined, `${shown}/${textName}`);
    const imageOutput = outputOf(vision, IMAGE_OUTPUTS, pooled && !combined, `${shown}/${visionName}`);
    const [, , fixedHeight, fixedWidth] = vision.inputShape('pixel_values');
    if ((fixedHeight ?? size.height) !== size.height || (fixedWidth ?? size.width) !== size.width)
      throw new AuditError(
        `${shown}/preprocessor_config.json: gives ${size.width} x ${size.height} pixels but the vision graph reads ${fixedWidth} x ${fixedHeight}; expected the processor of this model`,
      );
    const fixedTokens = text.inputShape('input_ids')[1] ?? null;
    const pixels = 3 * size.width * size.height;

    const textFeeds = (captions: readonly (readonly number[])[]): Record<string, Feed> => {
      const longest = Math.max(...captions.map((ids) => ids.length));
      const length = fixedTokens ?? (tokenizer.fixedLength ? tokenizer.context : longest);
      const dims = [captions.length, length];
      const column = (value: (caption: readonly number[], position: number) => bigint): Feed => {
        const data = new BigInt64Array(captions.length * length);
        let at = 0;
        for (const caption of captions)
          for (let position = 0; position < length; position += 1, at += 1) data[at] = value(caption, position);
        return { data, dims };
      };
      const pad = BigInt(tokenizer.padId);
      // SigLIP attends to its padding: it was trained without a mask.
      const unread = tokenizer.fixedLength ? 1n : 0n;
      const inputs: Record<string, () => Feed> = {
        input_ids: () => column((caption, at) => (at < caption.length ? BigInt(caption[at] as number) : pad)),
        attention_mask: () => column((caption, at) => (at < caption.length ? 1n : unread)),
        token_type_ids: () => column(() => 0n),
        position_ids: () => column((_, at) => BigInt(at)),
      };
      return Object.fromEntries(
        Object.entries(inputs).flatMap(([name, make]) => (text.inputs.includes(name) ? [[name, make()]] : [])),
      );
    };
    const pixelFeed = (data: Float32Array, count: number, handOver: boolean): Record<string, Feed> => ({
      pixel_values: { data, dims: [count, 3, size.height, size.width], handOver },
    });
    // A combined graph always reads both: the half that is not wanted gets the smallest possible input.
    const blank = combined ? pixelFeed(new Float32Array(pixels), 1, false) : {};
    const word = combined ? textFeeds([tokenizer.tokenize('a').ids]) : {};

    return {
      pixels,
      lanes,
      close,
      async text(captions, signal) {
        const [result] = await text.run({ ...blank, ...textFeeds(captions) }, [textOutput], signal);
        return rows(result as Result, captions.length);
      },
      async vision(data, count, signal) {
        const [result] = await vision.run({ ...word, ...pixelFeed(data, count, true) }, [imageOutput], signal);
        return rows(result as Result, count);
      },
      async logits(first, second) {
        if (!combined || !text.outputs.includes('logits_per_image')) return null;
        return solveLogits(
          await Promise.all(
            [first, second].map((ids) =>
              text.run(
                { ...blank, ...textFeeds([ids]) },
                ['logits_per_image', imageOutput, textOutput],
                new AbortController().signal,
              ),
            ),
          ),
        );
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Two pairs, two equations: logit = scale * cosine + bias. */
function solveLogits(pairs: readonly Result[][]): LogitParameters | null {
  const points = pairs.map(([logit, image, caption]) => {
    let dot = 0;
    let imageSquare = 0;
    let captionSquare = 0;
    const a = (image as Result).data;
    const b = (caption as Result).data;
    for (let index = 0; index < a.length; index += 1) {
      dot += (a[index] as number) * (b[index] as number);
      imageSquare += (a[index] as number) ** 2;
      captionSquare += (b[index] as number) ** 2;
    }
    return { x: dot / Math.sqrt(imageSquare * captionSquare), y: (logit as Result).data[0] as number };
  });
  const [p, q] = points as [{ x: number; y: number }, { x: number; y: number }];
  if (!(Math.abs(p.x - q.x) > 1e-4)) return null;
  // Rounded to what float32 logits carry, so that the fingerprint does not hold noise.
  const scale = Number(((p.y - q.y) / (p.x - q.x)).toPrecision(4));
  const bias = Number((p.y - scale * p.x).toPrecision(4));
  return { scale, bias: Math.abs(bias) < 1e-2 ? 0 : bias };
}
