/** A management call as a shell line. The token is a placeholder, and quotes in the body are safe. */
export function curlOf(method: string, path: string, body?: unknown): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const lines = [`curl -X ${method} "$GANTRY_URL${path}"`, `-H "Authorization: Bearer $GANTRY_TOKEN"`];
  if (body !== undefined)
    lines.push(`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(body, null, 2))}`);
  return lines.join(' \\\n  ');
}
