const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const steps: [limit: number, size: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60_000, 1_000, 'second'],
  [3_600_000, 60_000, 'minute'],
  [86_400_000, 3_600_000, 'hour'],
  [30 * 86_400_000, 86_400_000, 'day'],
  [365 * 86_400_000, 30 * 86_400_000, 'month'],
  [Number.POSITIVE_INFINITY, 365 * 86_400_000, 'year'],
];

/** "2 min. ago", "in 3 days"; under ten seconds it is "just now". */
export function formatAgo(iso: string, now: number): string {
  const distance = Date.parse(iso) - now;
  if (Math.abs(distance) < 10_000) return 'just now';
  const [, size, unit] = steps.find(([limit]) => Math.abs(distance) < limit)!;
  return relative.format(Math.round(distance / size), unit);
}

/** The reader's own time zone. */
export function formatLocal(iso: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' }).format(new Date(iso));
}

export function formatDuration(ms: number): string {
  if (ms < 1) return '<1 ms';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

/** A long time in its two largest units: "3 d 4 h", "5 min 2 s". */
export function formatSpan(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  if (bytes < 1_048_576) return `${(bytes / 1_024).toFixed(1)} KiB`;
  if (bytes < 1_073_741_824) return `${(bytes / 1_048_576).toFixed(1)} MiB`;
  return `${(bytes / 1_073_741_824).toFixed(2)} GiB`;
}

/** A slug proposed from a name: lower case, accents dropped, anything else a single "-". */
export function proposeSlug(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63)
    .replace(/-+$/, '');
}
