/** Frames of HTTP+SSE (2024-11-05, transports): each event says what it is, and none has an id. */

export function endpointFrame(uri: string): string {
  return `event: endpoint\ndata: ${uri}\n\n`;
}

export function messageFrame(json: string): string {
  return `event: message\ndata: ${json}\n\n`;
}
