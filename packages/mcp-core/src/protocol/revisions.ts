/** Revisions opened with `initialize`, newest first; the newest is the counter-offer to an unknown one. */
export const LEGACY_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** Revisions in which every request carries its own version; they are never negotiated. */
export const MODERN_REVISIONS = ['2026-07-28'] as const;

/** Versions from this date on are of the stateless era. */
export const OLDEST_MODERN_REVISION = '2026-07-28';

/** What a request without version header is taken for, when no session says otherwise (2025-11-25, transports). */
export const ASSUMED_REVISION = '2025-03-26';

/** Whether a version string is a date of the stateless era, served or not. */
export function namesModernRevision(version: string | undefined): boolean {
  return version !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= OLDEST_MODERN_REVISION;
}
