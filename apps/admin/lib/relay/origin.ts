/**
 * True when a request that changes something comes from a page of the console itself.
 * Browsers name the page in `Origin` and its distance in `Sec-Fetch-Site`; a request with neither is no browser of ours.
 */
export function isSameOrigin(headers: Headers, adminOrigin: string | undefined): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return false;
  const origin = headers.get('origin');
  if (origin === null) return site === 'same-origin';
  if (origin === adminOrigin) return true;
  return URL.canParse(origin) && new URL(origin).host === headers.get('host');
}
