import { askedFields, base64Bytes, elements, numberOr, type Protocol, property } from './ask.ts';

/** `POST …/v1/messages`. It has no content filter of its own: a filter shows as a refusal. */
export const anthropicProtocol: Protocol = {
  name: 'anthropic',
  matches: (path) => path.endsWith('/messages'),
  read(_path, body) {
    const model = property(body, 'model');
    if (typeof model !== 'string') throw new Error('model is missing');
    const maxTokens = property(body, 'max_tokens');
    if (typeof maxTokens !== 'number') throw new Error('max_tokens is missing');
    const texts: string[] = [];
    const images: Uint8Array[] = [];
    for (const message of elements(property(body, 'messages'))) {
      const content = property(message, 'content');
      if (typeof content === 'string') texts.push(content);
      for (const part of elements(content)) {
        const text = property(part, 'text');
        if (property(part, 'type') === 'text' && typeof text === 'string') texts.push(text);
        if (property(part, 'type') === 'image') images.push(base64Bytes(property(property(part, 'source'), 'data')));
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
      maxTokens,
      topLogprobs: 0,
    };
  },
  write(reply) {
    const refused = reply.finish === 'refusal' || reply.finish === 'filter';
    return {
      id: reply.id,
      type: 'message',
      role: 'assistant',
      model: reply.model,
      content: reply.choices && !(refused && reply.text === '') ? [{ type: 'text', text: reply.text }] : [],
      stop_reason: refused ? 'refusal' : reply.finish === 'length' ? 'max_tokens' : 'end_turn',
      stop_sequence: null,
      ...(reply.usage && { usage: { input_tokens: reply.usage.input, output_tokens: reply.usage.output } }),
    };
  },
  error: (status, message) => ({
    type: 'error',
    error: {
      type: status === 429 ? 'rate_limit_error' : status >= 500 ? 'api_error' : 'invalid_request_error',
      message,
    },
  }),
};
