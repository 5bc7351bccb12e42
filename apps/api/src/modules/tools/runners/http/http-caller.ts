/** For whom a call is made. */
export interface HttpCaller {
  readonly tenantId: string;
  /** The tenant's egress exceptions. */
  readonly egressAllow: readonly string[];
}
