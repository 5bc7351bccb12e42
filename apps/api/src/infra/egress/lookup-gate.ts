import { EgressFailure } from './errors.js';

/** Four threads serve every getaddrinfo, file and zlib job of the process; one of them stays free of names. */
const MAX_AT_ONCE = 3;
const MAX_WAITING_PER_TENANT = 200;

interface Waiting {
  readonly tenantId: string;
  readonly begin: () => void;
}

/**
 * Lets one look-up a tenant, and a few in all, run at a time: a tenant whose name servers never answer
 * holds one thread of the pool, not all of them.
 */
export class LookupGate {
  private readonly active = new Set<string>();
  private readonly waiting: Waiting[] = [];

  /** @throws EgressFailure when the tenant has too many names waiting. */
  run<T>(tenantId: string, job: () => Promise<T>): Promise<T> {
    if (this.waiting.filter((entry) => entry.tenantId === tenantId).length >= MAX_WAITING_PER_TENANT) {
      return Promise.reject(new EgressFailure('dns', 'too many host names are being resolved at once', false));
    }
    return new Promise<T>((resolve, reject) => {
      const begin = () => {
        this.active.add(tenantId);
        job()
          .then(resolve, reject)
          .finally(() => {
            this.active.delete(tenantId);
            this.next();
          });
      };
      this.waiting.push({ tenantId, begin });
      this.next();
    });
  }

  private next(): void {
    while (this.active.size < MAX_AT_ONCE) {
      const index = this.waiting.findIndex(({ tenantId }) => !this.active.has(tenantId));
      if (index < 0) return;
      this.waiting.splice(index, 1)[0]?.begin();
    }
  }
}
