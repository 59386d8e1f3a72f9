import { askedFields, base64Bytes, elements, numberOr, type Protocol, property } from './ask.ts';

/** `POST …/chat/completions`. */
export const openaiProtocol: Protocol = {
  name: 'openai',
  matches: (path) => path.endsWith('/chat/completions'),
  read(_path, body) {
    const model = property(body, 'model');
    if (typeof model !== 'string') throw new Error('model is missing');
    const texts: string[] = [];
    const images: Uint8Array[] = [];
    for (const message of elements(property(body, 'messages'))) {
      if (property(message, 'role') !== 'user') continue;
      const content = property(message, 'content');
      if (typeof content === 'string') texts.push(content);
      for (const part of elements(content)) {
        const text = property(part, 'text');
        if (property(part, 'type') === 'text' && typeof text === 'string') texts.push(text);
        if (property(part, 'type') === 'image_url')
          images.push(base64Bytes(property(property(part, 'image_url'), 'url')));
      }
    }
    if (texts.length === 0) throw new Error('messages hold no user text');
    const text = texts.join('\n');
    return {
      model,
      text,
      images,
      fields: askedFields(text),
      temperature: numberOr(property(body, 'temperature'), null),
      maxTokens: numberOr(property(body, 'max_completion_tokens'), numberOr(property(body, 'max_tokens'), 4096)),
      topLogprobs: property(body, 'logprobs') === true ? numberOr(property(body, 'top_logprobs'), 0) : 0,
    };
  },
  write(reply) {
    const refused = reply.finish === 'refusal';
    const message = {
      role: 'assistant',
      content: refused || reply.finish === 'filter' ? null : reply.text,
      refusal: refused ? reply.text : null,
    };
    const finish = { stop: 'stop', refusal: 'stop', length: 'length', filter: 'content_filter' }[reply.finish];
    const logprobs =
      reply.logprobs === null
        ? null
        : { content: [{ token: reply.text, logprob: reply.logprobs[0]?.logprob ?? 0, top_logprobs: reply.logprobs }] };
    return {
      id: reply.id,
      object: 'chat.completion',
      created: 0,
      model: reply.model,
      system_fingerprint: reply.fingerprint,
      choices: reply.choices ? [{ index: 0, message, logprobs, finish_reason: finish }] : [],
      ...(reply.usage && {
        usage: {
          prompt_tokens: reply.usage.input,
          completion_tokens: reply.usage.output,
          total_tokens: reply.usage.input + reply.usage.output,
        },
      }),
    };
  },
  error: (status, message) => ({
    error: { message, type: status === 429 ? 'rate_limit_error' : 'server_error', code: null, param: null },
  }),
};
