import { z } from 'zod';

export const memberRoleSchema = z.enum(['owner', 'admin', 'developer', 'viewer']);
export type MemberRole = z.infer<typeof memberRoleSchema>;

export const platformRoleSchema = z.enum(['operator', 'auditor']);
export type PlatformRole = z.infer<typeof platformRoleSchema>;

/** Scopes of an API key. `mcp:call` covers every MCP method; `mcp:read` all but `tools/call`. */
export const scopeSchema = z.enum(['mcp:call', 'mcp:read', 'tenant:read', 'tenant:write', 'keys:write']);
export type Scope = z.infer<typeof scopeSchema>;

/** What a management call may need. The API decides; the console mirrors it. */
export const permissionSchema = z.enum([
  'tenants:list',
  'tenants:create',
  'tenant:read',
  'tenant:update',
  'tenant:limits',
  'tenant:delete',
  'servers:read',
  'servers:write',
  'servers:delete',
  'tools:try',
  'keys:read',
  'keys:write',
  'keys:revoke',
  'secrets:read',
  'secrets:write',
  'calls:read',
  /** What calls and jobs were given and what they gave, with secrets masked. */
  'payloads:read',
  'sessions:end',
  'audit:read',
  'nodes:read',
  'nodes:drain',
]);
export type Permission = z.infer<typeof permissionSchema>;
