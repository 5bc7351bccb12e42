import type { GuestKit } from './kit.js';

/** Makes `ctx.content`: builders of content blocks. */
export function guestContent({ toBase64 }: GuestKit) {
  return {
    text: (text: unknown, more?: object) => ({ ...more, type: 'text', text: String(text) }),
    image: (data: unknown, mimeType = 'image/png', more?: object) => ({
      ...more,
      type: 'image',
      data: toBase64(data, 'ctx.content.image: data'),
      mimeType,
    }),
    audio: (data: unknown, mimeType = 'audio/wav', more?: object) => ({
      ...more,
      type: 'audio',
      data: toBase64(data, 'ctx.content.audio: data'),
      mimeType,
    }),
    resource(first: unknown, body?: unknown, mimeType?: string) {
      if (typeof first === 'object' && first !== null) return { type: 'resource', resource: first };
      const resource: Record<string, unknown> = { uri: String(first) };
      if (mimeType !== undefined) resource.mimeType = mimeType;
      if (typeof body === 'string') resource.text = body;
      else resource.blob = toBase64(body, 'ctx.content.resource: the body');
      return { type: 'resource', resource };
    },
    link: (first: unknown, name?: unknown, more?: object) =>
      typeof first === 'object' && first !== null
        ? { ...first, type: 'resource_link' }
        : { ...more, type: 'resource_link', uri: String(first), name: String(name ?? first) },
  };
}
