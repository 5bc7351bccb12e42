/** Every request method that some revision serves. */
export const METHOD_NAMES = [
  'initialize',
  'ping',
  'logging/setLevel',
  'tools/list',
  'tools/call',
  'server/discover',
  'subscriptions/listen',
] as const;
/** A name of `METHOD_NAMES`. */
export type MethodName = (typeof METHOD_NAMES)[number];
