/** Every request method that some revision serves. */
export type MethodName =
  | 'initialize'
  | 'ping'
  | 'logging/setLevel'
  | 'tools/list'
  | 'tools/call'
  | 'server/discover'
  | 'subscriptions/listen';
