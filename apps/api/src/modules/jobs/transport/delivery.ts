/**
 * Names one handing-over of a job to the queue. Each run has a name of its own: while the queue still counts the run
 * before as under way, it would take the same name for the same thing and drop it.
 */
export function deliveryOf(jobId: string, attempts: number): string {
  return `${jobId}.${attempts}`;
}

export function jobOf(delivery: string): string {
  return delivery.slice(0, delivery.lastIndexOf('.'));
}
