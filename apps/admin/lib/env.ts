/** What the server side of the console reads from its environment, at run time and nowhere else. */

/** Where this process reaches the API; no trailing slash. */
export function apiUrl(): string {
  return (process.env.API_URL || 'http://127.0.0.1:4000').replace(/\/+$/, '');
}

/** Origin of the MCP endpoints as browsers reach them: that of `PUBLIC_URL`, or of the API itself. */
export function endpointOrigin(): string | undefined {
  const url = process.env.PUBLIC_URL?.trim() || apiUrl();
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/** Public origin of the console, when it was told one. */
export function adminOrigin(): string | undefined {
  const url = process.env.ADMIN_URL;
  return url && URL.canParse(url) ? new URL(url).origin : undefined;
}

/** Cookies know no port: the name carries it, so that two consoles on one host keep two sessions. */
export function sessionCookieName(): string {
  const origin = adminOrigin();
  const port = (origin && new URL(origin).port) || process.env.PORT || '';
  return port ? `gantry_session_${port}` : 'gantry_session';
}

/** True where the browser reaches us by https, so the cookie must never travel without it. */
export function cookiesAreSecure(): boolean {
  return adminOrigin()?.startsWith('https:') ?? false;
}
