-- Every table of prisma/schema, the role the application works as, and row-level security on all of it.

CREATE TYPE "member_role" AS ENUM ('owner', 'admin', 'developer', 'viewer');
CREATE TYPE "platform_role" AS ENUM ('operator', 'auditor');

CREATE TABLE "audit_entries" (
    "id" BIGSERIAL NOT NULL,
    "tenant_id" UUID,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "object" TEXT NOT NULL,
    "request_id" TEXT,
    "detail" JSONB,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "calls" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "server" TEXT NOT NULL,
    "tool" TEXT,
    "method" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "duration_ms" DOUBLE PRECISION NOT NULL,
    "era" TEXT NOT NULL,
    "client" TEXT,
    "principal" TEXT NOT NULL,
    "node" TEXT NOT NULL,
    "session_id" TEXT,
    "job_id" TEXT,
    "source" TEXT NOT NULL,

    CONSTRAINT "calls_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "change_log" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "tenant_id" UUID,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,

    CONSTRAINT "change_log_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "scopes" TEXT[],
    "servers" TEXT[],
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "api_key_hashes" (
    "hash" BYTEA NOT NULL,
    "key_id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "valid_until" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_hashes_pkey" PRIMARY KEY ("hash")
);

CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "platform_role" "platform_role",
    "failed_attempts" INTEGER NOT NULL DEFAULT 0,
    "locked_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "user_sessions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_sessions_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "memberships" (
    "tenant_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "member_role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("tenant_id","user_id")
);

CREATE TABLE "node_leases" (
    "name" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "detail" TEXT NOT NULL,
    "heartbeat_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "node_leases_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "secrets" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hosts" TEXT[],
    "sealed" BYTEA NOT NULL,
    "key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "secrets_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "servers" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "document" JSON NOT NULL,
    "draft" BOOLEAN NOT NULL DEFAULT false,
    "published" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "servers_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "server_revisions" (
    "server_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "tenant_id" UUID NOT NULL,
    "document" JSON NOT NULL,
    "tool_count" INTEGER NOT NULL,
    "note" TEXT,
    "published_by" TEXT NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "server_revisions_pkey" PRIMARY KEY ("server_id","number")
);

CREATE TABLE "tenants" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "limits" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tenants_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "audit_entries_tenant_id_id_idx" ON "audit_entries"("tenant_id", "id");
CREATE INDEX "calls_tenant_id_at_id_idx" ON "calls"("tenant_id", "at" DESC, "id" DESC);
CREATE INDEX "change_log_at_idx" ON "change_log"("at");
CREATE INDEX "api_keys_tenant_id_id_idx" ON "api_keys"("tenant_id", "id");
CREATE INDEX "api_key_hashes_key_id_idx" ON "api_key_hashes"("key_id");
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");
CREATE UNIQUE INDEX "user_sessions_token_hash_key" ON "user_sessions"("token_hash");
CREATE INDEX "user_sessions_user_id_idx" ON "user_sessions"("user_id");
CREATE INDEX "memberships_user_id_idx" ON "memberships"("user_id");
CREATE UNIQUE INDEX "secrets_tenant_id_name_key" ON "secrets"("tenant_id", "name");
CREATE UNIQUE INDEX "servers_tenant_id_slug_key" ON "servers"("tenant_id", "slug");
CREATE INDEX "server_revisions_tenant_id_idx" ON "server_revisions"("tenant_id");
CREATE UNIQUE INDEX "tenants_slug_key" ON "tenants"("slug");

ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "api_key_hashes" ADD CONSTRAINT "api_key_hashes_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "user_sessions" ADD CONSTRAINT "user_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "secrets" ADD CONSTRAINT "secrets_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "servers" ADD CONSTRAINT "servers_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "server_revisions" ADD CONSTRAINT "server_revisions_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The application's role: owns nothing, and row-level security binds it. Roles belong to the whole cluster, so another
-- database may have made it before, or be making it this moment.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'gantry_app') THEN
        BEGIN
            CREATE ROLE gantry_app NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
        END;
    END IF;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gantry_app' AND (rolsuper OR rolbypassrls)) THEN
        RAISE EXCEPTION 'role gantry_app must be neither superuser nor BYPASSRLS';
    END IF;
    IF NOT pg_has_role(current_user, 'gantry_app', 'MEMBER') THEN
        BEGIN
            EXECUTE format('GRANT gantry_app TO %I', current_user);
        EXCEPTION WHEN unique_violation OR internal_error THEN NULL; -- granted by another database's migration
        END;
    END IF;
END
$$;

GRANT USAGE ON SCHEMA public TO gantry_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON
    "tenants", "memberships", "users", "user_sessions", "api_keys", "api_key_hashes", "secrets", "servers", "node_leases"
    TO gantry_app;
-- A revision and a trail are written once.
GRANT SELECT, INSERT ON "server_revisions", "audit_entries" TO gantry_app;
GRANT SELECT, INSERT, DELETE ON "change_log", "calls" TO gantry_app;
GRANT USAGE ON SEQUENCE "audit_entries_id_seq", "change_log_id_seq" TO gantry_app;

-- The application refuses to serve on a schema that is not its own, so it may read what was applied.
DO $$
BEGIN
    IF to_regclass('_prisma_migrations') IS NOT NULL THEN
        GRANT SELECT ON "_prisma_migrations" TO gantry_app;
    END IF;
END
$$;

-- The two doors. Both settings live as long as one transaction; outside of one there is no row to see.
CREATE FUNCTION gantry_tenant() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT nullif(current_setting('gantry.tenant', true), '')::uuid $$;
CREATE FUNCTION gantry_platform() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT coalesce(current_setting('gantry.scope', true) = 'platform', false) $$;

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY[
        'tenants', 'memberships', 'users', 'user_sessions', 'api_keys', 'api_key_hashes', 'secrets', 'servers',
        'server_revisions', 'audit_entries', 'change_log', 'calls', 'node_leases'
    ] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY platform ON %I USING (gantry_platform()) WITH CHECK (gantry_platform())', name);
    END LOOP;
    FOREACH name IN ARRAY ARRAY[
        'memberships', 'api_keys', 'api_key_hashes', 'secrets', 'servers', 'server_revisions', 'audit_entries', 'calls'
    ] LOOP
        EXECUTE format(
            'CREATE POLICY tenant ON %I USING (tenant_id = gantry_tenant()) WITH CHECK (tenant_id = gantry_tenant())', name);
    END LOOP;
END
$$;

CREATE POLICY tenant ON "tenants" USING ("id" = gantry_tenant()) WITH CHECK ("id" = gantry_tenant());

-- A tenant announces and reads its own changes; only the platform prunes.
CREATE POLICY tenant_read ON "change_log" FOR SELECT USING ("tenant_id" = gantry_tenant());
CREATE POLICY tenant_append ON "change_log" FOR INSERT WITH CHECK ("tenant_id" = gantry_tenant());

-- A tenant may know who its members are, and nobody else.
CREATE POLICY tenant_members ON "users" FOR SELECT USING (
    EXISTS (SELECT FROM "memberships" m WHERE m."user_id" = "users"."id" AND m."tenant_id" = gantry_tenant()));

-- Foreign keys look past row-level security: a row may not hang on another tenant's parent.
CREATE POLICY same_tenant ON "server_revisions" AS RESTRICTIVE FOR INSERT WITH CHECK (
    EXISTS (SELECT FROM "servers" s WHERE s."id" = "server_id" AND s."tenant_id" = "server_revisions"."tenant_id"));
CREATE POLICY same_tenant ON "api_key_hashes" AS RESTRICTIVE FOR INSERT WITH CHECK (
    EXISTS (SELECT FROM "api_keys" k WHERE k."id" = "key_id" AND k."tenant_id" = "api_key_hashes"."tenant_id"));
CREATE POLICY same_tenant_update ON "api_key_hashes" AS RESTRICTIVE FOR UPDATE WITH CHECK (
    EXISTS (SELECT FROM "api_keys" k WHERE k."id" = "key_id" AND k."tenant_id" = "api_key_hashes"."tenant_id"));
