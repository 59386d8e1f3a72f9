import {
  type GenerateContentConfig,
  GoogleGenAI,
  type GoogleGenAIOptions,
  MediaResolution,
  type Part,
  ThinkingLevel,
} from '@google/genai';
import { exchange } from './exchange.ts';
import type { Finish, Host, HostReading, HostRequest } from './host.ts';
import { countOf, elementsOf, property, textOf } from './untrusted.ts';

const FILTERS = [
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
];
const FINISH: Readonly<Record<string, Finish>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  ...Object.fromEntries(FILTERS.map((name) => [name, 'filter' as const])),
};
const LEVELS = {
  minimal: ThinkingLevel.MINIMAL,
  low: ThinkingLevel.LOW,
  medium: ThinkingLevel.MEDIUM,
  high: ThinkingLevel.HIGH,
} as const;

/** Google's generateContent (Gemini API, not Vertex). `detail` is the media resolution; `auto` leaves it unset. */
export const googleHost: Host = {
  kind: 'google',
  defaultUrl: 'https://generativelanguage.googleapis.com',
  keyVariable: 'GEMINI_API_KEY',
  unsupported: () => null,
  send(request, access) {
    return exchange(async (fetch) => {
      const client = quietly({
        // Everything the SDK would otherwise take from the environment is given here.
        apiKey: access.key ?? 'none',
        vertexai: false,
        apiVersion: 'v1beta',
        httpOptions: { baseUrl: access.baseUrl, retryOptions: { attempts: 1 }, fetch },
      });
      await client.models.generateContent({
        model: request.model,
        contents: [{ role: 'user', parts: [...partsOf(request), { text: request.text }] }],
        config: configOf(request),
      });
    }, access);
  },
  read,
};

/** The constructor warns on the console when two key variables are set, though it is given a key. */
function quietly(options: GoogleGenAIOptions): GoogleGenAI {
  const { warn } = console;
  console.warn = () => {};
  try {
    return new GoogleGenAI(options);
  } finally {
    console.warn = warn;
  }
}

function partsOf(request: HostRequest): Part[] {
  return request.images.flatMap((image) => [
    ...(image.label === null ? [] : [{ text: image.label }]),
    { inlineData: { mimeType: 'image/png', data: image.base64 } },
  ]);
}

function configOf(request: HostRequest): GenerateContentConfig {
  return {
    maxOutputTokens: request.maxTokens,
    ...(request.system !== '' && { systemInstruction: request.system }),
    ...(request.temperature !== null && { temperature: request.temperature }),
    ...(request.seed !== null && { seed: request.seed }),
    ...(request.detail !== 'auto' && {
      mediaResolution:
        request.detail === 'low' ? MediaResolution.MEDIA_RESOLUTION_LOW : MediaResolution.MEDIA_RESOLUTION_HIGH,
    }),
    ...(request.reasoning !== null && {
      thinkingConfig:
        request.reasoning === 'none' ? { thinkingBudget: 0 } : { thinkingLevel: LEVELS[request.reasoning] },
    }),
    ...(request.topLogprobs > 0 && { responseLogprobs: true, logprobs: request.topLogprobs }),
    ...(request.schema !== null &&
      request.structured !== 'none' && {
        responseMimeType: 'application/json',
        ...(request.structured === 'schema' && { responseJsonSchema: request.schema }),
      }),
  };
}

function read(body: unknown): HostReading {
  const candidate = property(body, 'candidates', 0);
  const blocked = textOf(property(body, 'promptFeedback', 'blockReason'));
  const finishText = blocked ?? textOf(property(candidate, 'finishReason'));
  const texts = elementsOf(property(candidate, 'content', 'parts')).flatMap((part) => {
    const text = property(part, 'thought') === true ? null : textOf(property(part, 'text'));
    return text === null ? [] : [text];
  });
  const usage = property(body, 'usageMetadata');
  const input = countOf(property(usage, 'promptTokenCount'));
  const output = countOf(property(usage, 'candidatesTokenCount'));
  const thoughts = countOf(property(usage, 'thoughtsTokenCount'));
  const top = property(candidate, 'logprobsResult', 'topCandidates');
  return {
    text: texts.length === 0 ? null : texts.join(''),
    refusal: null,
    finish: blocked !== null ? 'filter' : (FINISH[finishText ?? ''] ?? 'other'),
    finishText,
    // Thought tokens are billed as output and stand apart from it; both counts are left out when they are 0.
    usage:
      input === null || (output === null && thoughts === null && texts.length > 0)
        ? null
        : {
            input,
            output: (output ?? 0) + (thoughts ?? 0),
            cached: countOf(property(usage, 'cachedContentTokenCount')),
            reasoning: thoughts,
          },
    model: textOf(property(body, 'modelVersion')),
    fingerprint: null,
    logprobs: top === undefined ? null : firstWord(elementsOf(top)),
  };
}

/** Candidates of the first token that is not white space. */
function firstWord(steps: readonly unknown[]): { token: string; logprob: number }[] {
  for (const step of steps) {
    const candidates = elementsOf(property(step, 'candidates')).flatMap((candidate) => {
      const token = textOf(property(candidate, 'token'));
      const logprob = property(candidate, 'logProbability');
      return token === null || typeof logprob !== 'number' ? [] : [{ token, logprob }];
    });
    if (candidates.some(({ token }) => token.trim() !== '')) return candidates;
  }
  return [];
}
