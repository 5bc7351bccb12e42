import { hostCovered } from '../../../infra/egress/index.js';
import type { SecretsService } from '../../secrets/secrets.service.js';
import { SecretRefused, type SecretSource } from './http/index.js';

/** Opens a tenant's secrets for the hosts they are bound to, and notes that they were used. */
export class TenantSecrets implements SecretSource {
  constructor(
    private readonly secrets: Pick<SecretsService, 'open' | 'noteUse'>,
    private readonly onFault: (error: unknown) => void,
  ) {}

  async open(tenantId: string, name: string, host: string): Promise<string> {
    const found = await this.secrets.open(tenantId, name);
    if (found === undefined) throw new SecretRefused(name, 'missing');
    if (!hostCovered(found.hosts, host)) throw new SecretRefused(name, 'host');
    this.secrets.noteUse(tenantId, name).catch(this.onFault);
    return found.value;
  }
}
