export const content = {
  block: 'Content',
  binary: (kind: string, size: string) => `${kind || 'binary'}, ${size}`,
  noMimeType: 'no MIME type',
  htmlView: 'View of the page',
  source: 'Source',
  page: 'Page',
  pageOf: (uri: string) => `Page of ${uri}`,
  sandboxed: 'Shown in a sandbox: without scripts, style sheets and anything from another address.',
  download: 'Download',
} as const;
