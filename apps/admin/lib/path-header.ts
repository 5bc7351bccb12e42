/** Request header in which the proxy tells server components the path they are painted for. */
export const pathHeader = 'x-console-path';
