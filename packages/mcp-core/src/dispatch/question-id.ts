/** A job's question as a request of a session: any node that is posted the answer reads from the id whose it is. */
export function questionId(jobId: string, key: string): string {
  return `job.${jobId}.${key}`;
}

/** The job and the question that an answer's id names; undefined for other ids. */
export function questionOf(id: unknown): { readonly jobId: string; readonly key: string } | undefined {
  if (typeof id !== 'string') return undefined;
  const [, jobId, key] = /^job\.([\w-]{1,128})\.(\d{1,9})$/.exec(id) ?? [];
  return jobId === undefined || key === undefined ? undefined : { jobId, key };
}
