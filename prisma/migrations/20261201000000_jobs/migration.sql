-- Jobs: tool calls that run outside their request. The row is the truth; the queue only carries its id.

CREATE TABLE "jobs" (
    "id" TEXT NOT NULL,
    "tenant_id" UUID NOT NULL,
    "server_id" UUID NOT NULL,
    "server" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "tool" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "principal" TEXT NOT NULL,
    "face" TEXT NOT NULL,
    "arguments" JSON NOT NULL,
    "caller" JSON NOT NULL,
    "reply" JSON,
    "rounds" JSON,
    "questions" JSON,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "status_message" TEXT,
    "progress" DOUBLE PRECISION,
    "total" DOUBLE PRECISION,
    "repeatable" BOOLEAN NOT NULL,
    "timeout_ms" INTEGER NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "node" TEXT,
    "caller_node" TEXT,
    "call_key" TEXT,
    "idempotency_key" TEXT,
    "digest" TEXT,
    "cancel_reason" TEXT,
    "error" TEXT,
    "ttl_ms" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "admitted_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "answered_at" TIMESTAMPTZ(3),
    "cancel_asked_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "jobs_pkey" PRIMARY KEY ("id")
);

-- How a job ended, apart from the row that lists read.
CREATE TABLE "job_results" (
    "job_id" TEXT NOT NULL,
    "tenant_id" UUID NOT NULL,
    "result" JSON NOT NULL,

    CONSTRAINT "job_results_pkey" PRIMARY KEY ("job_id")
);

CREATE TABLE "job_attempts" (
    "job_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "tenant_id" UUID NOT NULL,
    "node" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "error" TEXT,

    CONSTRAINT "job_attempts_pkey" PRIMARY KEY ("job_id", "number")
);

-- How far each tenant has come in the round of turns (stride scheduling).
CREATE TABLE "job_turns" (
    "tenant_id" UUID NOT NULL,
    "pass" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "job_turns_pkey" PRIMARY KEY ("tenant_id")
);

CREATE INDEX "jobs_tenant_id_created_at_id_idx" ON "jobs"("tenant_id", "created_at" DESC, "id" DESC);
CREATE INDEX "jobs_waiting_idx" ON "jobs"("tenant_id", "created_at", "id") WHERE "status" = 'queued' AND "admitted_at" IS NULL;
CREATE INDEX "jobs_open_idx" ON "jobs"("status", "node") WHERE "finished_at" IS NULL;
CREATE INDEX "jobs_unanswered_idx" ON "jobs"("node") WHERE "finished_at" IS NOT NULL AND "answered_at" IS NULL;
CREATE INDEX "jobs_expires_at_idx" ON "jobs"("expires_at");
CREATE INDEX "jobs_call_key_idx" ON "jobs"("tenant_id", "call_key") WHERE "finished_at" IS NULL;
CREATE UNIQUE INDEX "jobs_idempotency_idx" ON "jobs"("tenant_id", "server_id", "owner", "tool", "idempotency_key") WHERE "idempotency_key" IS NOT NULL;

ALTER TABLE "jobs" ADD CONSTRAINT "jobs_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "job_results" ADD CONSTRAINT "job_results_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "job_attempts" ADD CONSTRAINT "job_attempts_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "job_turns" ADD CONSTRAINT "job_turns_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

GRANT SELECT, INSERT, UPDATE, DELETE ON "jobs", "job_results", "job_attempts", "job_turns" TO gantry_app;

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['jobs', 'job_results', 'job_attempts', 'job_turns'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY platform ON %I USING (gantry_platform()) WITH CHECK (gantry_platform())', name);
        EXECUTE format(
            'CREATE POLICY tenant ON %I USING (tenant_id = gantry_tenant()) WITH CHECK (tenant_id = gantry_tenant())', name);
    END LOOP;
END
$$;

-- Foreign keys look past row-level security: a row may not hang on another tenant's job.
CREATE POLICY same_tenant ON "job_results" AS RESTRICTIVE FOR INSERT WITH CHECK (
    EXISTS (SELECT FROM "jobs" j WHERE j."id" = "job_id" AND j."tenant_id" = "job_results"."tenant_id"));
CREATE POLICY same_tenant ON "job_attempts" AS RESTRICTIVE FOR INSERT WITH CHECK (
    EXISTS (SELECT FROM "jobs" j WHERE j."id" = "job_id" AND j."tenant_id" = "job_attempts"."tenant_id"));
