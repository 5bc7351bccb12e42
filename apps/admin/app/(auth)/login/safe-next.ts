/** Where to go after the sign-in: a path of this console, never another origin. */
export function safeNext(next: string | undefined): string {
  if (!next?.startsWith('/') || next.startsWith('//') || next.includes('\\')) return '/';
  try {
    const base = 'http://console.invalid';
    const url = new URL(next, base);
    return url.origin === base ? url.pathname + url.search : '/';
  } catch {
    return '/';
  }
}
