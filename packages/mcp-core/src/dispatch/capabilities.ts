/** What every hosted server offers, in the shape of ServerCapabilities. It is what the method tables really serve. */
export function serverCapabilities(): Record<string, unknown> {
  return { tools: { listChanged: true }, logging: {} };
}
