import { askedFields, base64Bytes, elements, numberOr, type Protocol, property } from './ask.ts';

const PATH = /\/models\/([^/:]+):generateContent$/;

/** `POST …/models/<model>:generateContent`. */
export const googleProtocol: Protocol = {
  name: 'google',
  matches: (path) => PATH.test(path),
  read(path, body) {
    const texts: string[] = [];
    const images: Uint8Array[] = [];
    for (const content of elements(property(body, 'contents'))) {
      for (const part of elements(property(content, 'parts'))) {
        const text = property(part, 'text');
        if (typeof text === 'string') texts.push(text);
        const inline = property(part, 'inlineData');
        if (inline !== undefined) images.push(base64Bytes(property(inline, 'data')));
      }
    }
    if (texts.length === 0) throw new Error('contents hold no text');
    const settings = property(body, 'generationConfig');
    const text = texts.join('\n');
    return {
      model: decodeURIComponent((PATH.exec(path) as RegExpExecArray)[1] as string),
      text,
      images,
      fields: askedFields(text),
      temperature: numberOr(property(settings, 'temperature'), null),
      maxTokens: numberOr(property(settings, 'maxOutputTokens'), 4096),
      topLogprobs: property(settings, 'responseLogprobs') === true ? numberOr(property(settings, 'logprobs'), 0) : 0,
    };
  },
  write(reply) {
    const usage = reply.usage && {
      usageMetadata: {
        promptTokenCount: reply.usage.input,
        candidatesTokenCount: reply.usage.output,
        totalTokenCount: reply.usage.input + reply.usage.output,
      },
    };
    const rest = { ...usage, modelVersion: reply.model, responseId: reply.id };
    if (reply.finish === 'filter') return { promptFeedback: { blockReason: 'SAFETY' }, ...rest };
    if (!reply.choices) return { candidates: [], ...rest };
    // This protocol has no refusal field: a model that declines does so in words.
    const finishReason = reply.finish === 'length' ? 'MAX_TOKENS' : 'STOP';
    const top = reply.logprobs?.map(({ token, logprob }) => ({ token, logProbability: logprob }));
    return {
      candidates: [
        {
          index: 0,
          content: { role: 'model', parts: [{ text: reply.text }] },
          finishReason,
          ...(top && { logprobsResult: { chosenCandidates: [top[0]], topCandidates: [{ candidates: top }] } }),
        },
      ],
      ...rest,
    };
  },
  error: (status, message) => ({
    error: {
      code: status,
      message,
      status: status === 429 ? 'RESOURCE_EXHAUSTED' : status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT',
    },
  }),
};
