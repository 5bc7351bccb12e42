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
    "definition" JSON,
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
    "cancel_told" BOOLEAN NOT NULL DEFAULT false,
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

-- Processes that take jobs: one whose beat is older than its lease is lost, and so is what it ran.
CREATE TABLE "job_workers" (
    "node" TEXT NOT NULL,
    "slots" INTEGER NOT NULL,
    "beat_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "job_workers_pkey" PRIMARY KEY ("node")
);

CREATE INDEX "jobs_tenant_id_created_at_id_idx" ON "jobs"("tenant_id", "created_at" DESC, "id" DESC);
CREATE INDEX "jobs_waiting_idx" ON "jobs"("tenant_id", "created_at", "id") WHERE "status" = 'queued' AND "admitted_at" IS NULL;
CREATE INDEX "jobs_admitted_idx" ON "jobs"("tenant_id", "node") WHERE "finished_at" IS NULL AND "admitted_at" IS NOT NULL;
CREATE INDEX "jobs_caller_idx" ON "jobs"("caller_node") WHERE "finished_at" IS NULL AND "caller_node" IS NOT NULL;
CREATE INDEX "jobs_unanswered_idx" ON "jobs"("updated_at") WHERE "answered_at" IS NULL AND ("finished_at" IS NOT NULL OR "status" = 'input_required');
CREATE INDEX "jobs_expires_at_idx" ON "jobs"("expires_at") WHERE "expires_at" IS NOT NULL;
CREATE INDEX "jobs_call_key_idx" ON "jobs"("tenant_id", "call_key") WHERE "finished_at" IS NULL AND "call_key" IS NOT NULL;
CREATE UNIQUE INDEX "jobs_idempotency_idx" ON "jobs"("tenant_id", "server_id", "owner", "tool", "idempotency_key") WHERE "idempotency_key" IS NOT NULL;

ALTER TABLE "jobs" ADD CONSTRAINT "jobs_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "job_results" ADD CONSTRAINT "job_results_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "job_attempts" ADD CONSTRAINT "job_attempts_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "job_turns" ADD CONSTRAINT "job_turns_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

GRANT SELECT, INSERT, UPDATE, DELETE ON "jobs", "job_results", "job_attempts", "job_turns", "job_workers" TO gantry_app;

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

ALTER TABLE "job_workers" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY platform ON "job_workers" USING (gantry_platform()) WITH CHECK (gantry_platform());

-- Foreign keys look past row-level security: a row may not hang on another tenant's job.
CREATE POLICY same_tenant ON "job_results" AS RESTRICTIVE FOR INSERT WITH CHECK (
    EXISTS (SELECT FROM "jobs" j WHERE j."id" = "job_id" AND j."tenant_id" = "job_results"."tenant_id"));
CREATE POLICY same_tenant ON "job_attempts" AS RESTRICTIVE FOR INSERT WITH CHECK (
    EXISTS (SELECT FROM "jobs" j WHERE j."id" = "job_id" AND j."tenant_id" = "job_attempts"."tenant_id"));

-- Slots of the workers that live, over all nodes.
CREATE FUNCTION gantry_job_slots(lease_ms integer) RETURNS integer LANGUAGE sql STABLE
    AS $$ SELECT coalesce(sum(slots), 0)::integer FROM job_workers
          WHERE beat_at > clock_timestamp() - lease_ms * interval '1 millisecond' $$;

-- Stores a job in one round trip, and admits it at once when it would be next and there is room. Gives its id, or that of the
-- job that was submitted before under the same key; `outcome` is stored, admitted, joined, other (arguments) or full.
-- What callers have said is stored as it is: read by Postgres, "\u0000" or half a surrogate pair in it would be refused.
CREATE FUNCTION gantry_job_submit(job json, given json, told json, reply_to json, kept json, document json,
                                  max_queued integer, cap integer, lease_ms integer, key_ms bigint)
    RETURNS TABLE (job_id text, outcome text, stored_at timestamptz) LANGUAGE plpgsql SET gantry.scope = 'platform' AS $$
DECLARE
    new record;
    before record;
    waiting bigint;
    admitted timestamptz;
BEGIN
    SELECT * INTO new FROM json_to_record(job) AS x(
        id text, "tenantId" uuid, "serverId" uuid, server text, revision integer, tool text, owner text, principal text,
        face text, repeatable boolean,
        "timeoutMs" integer, "callerNode" text, "callKey" text, "idempotencyKey" text, digest text, "ttlMs" integer);
    IF new."idempotencyKey" IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(hashtextextended(new."tenantId" || ' ' || new.owner || ' ' || new."idempotencyKey", 0));
        SELECT j.id, j.digest, j.created_at INTO before FROM jobs j
            WHERE j.tenant_id = new."tenantId" AND j.server_id = new."serverId" AND j.owner = new.owner
              AND j.tool = new.tool AND j.idempotency_key = new."idempotencyKey";
        IF FOUND AND before.created_at > clock_timestamp() - key_ms * interval '1 millisecond' THEN
            RETURN QUERY SELECT before.id, CASE WHEN before.digest = new.digest THEN 'joined' ELSE 'other' END, before.created_at;
            RETURN;
        ELSIF FOUND THEN
            UPDATE jobs SET idempotency_key = NULL WHERE id = before.id;
        END IF;
    END IF;
    waiting := (SELECT count(*) FROM (SELECT FROM jobs WHERE tenant_id = new."tenantId" AND status = 'queued' AND admitted_at IS NULL
                                      LIMIT max_queued) w);
    IF waiting >= max_queued THEN
        RETURN QUERY SELECT NULL::text, 'full', NULL::timestamptz;
        RETURN;
    END IF;
    IF pg_try_advisory_xact_lock(72707370) THEN
        -- A tenant of which nothing runs or waits is next by any count, however many of others wait.
        SELECT clock_timestamp() INTO admitted
            FROM (SELECT count(*) AS every, count(*) FILTER (WHERE tenant_id = new."tenantId") AS own
                  FROM jobs WHERE finished_at IS NULL AND admitted_at IS NOT NULL) held
            WHERE every < 2 * gantry_job_slots(lease_ms) AND own < cap
              AND (own = 0 AND waiting = 0 OR NOT EXISTS (SELECT FROM jobs WHERE status = 'queued' AND admitted_at IS NULL));
    END IF;
    INSERT INTO jobs (id, tenant_id, server_id, server, revision, tool, owner, principal, face, definition, arguments, caller, reply,
                      rounds, repeatable, timeout_ms, caller_node, call_key, idempotency_key, digest, ttl_ms, admitted_at)
    VALUES (new.id, new."tenantId", new."serverId", new.server, new.revision, new.tool, new.owner, new.principal, new.face,
            document, given, told, reply_to, kept, new.repeatable, new."timeoutMs", new."callerNode",
            new."callKey", new."idempotencyKey", new.digest, new."ttlMs", admitted);
    job_id := new.id;
    outcome := CASE WHEN admitted IS NULL THEN 'stored' ELSE 'admitted' END;
    stored_at := now();
    RETURN NEXT;
END
$$;

-- Gives a job to the one worker that asks first; no row when it is not to be had (any more).
CREATE FUNCTION gantry_job_claim(claimed text, worker text) RETURNS SETOF jobs
    LANGUAGE plpgsql SET gantry.scope = 'platform' AS $$
DECLARE
    job jobs;
BEGIN
    UPDATE jobs SET status = 'running', node = worker, attempts = attempts + 1, updated_at = clock_timestamp(),
                    started_at = coalesce(started_at, clock_timestamp()), admitted_at = coalesce(admitted_at, clock_timestamp()),
                    answered_at = NULL
        WHERE id = claimed AND status = 'queued' AND cancel_asked_at IS NULL
        RETURNING * INTO job;
    IF NOT FOUND THEN RETURN; END IF;
    INSERT INTO job_attempts (job_id, number, tenant_id, node, started_at)
        VALUES (job.id, job.attempts, job.tenant_id, worker, job.updated_at);
    RETURN NEXT job;
END
$$;

-- Progress of a claim that stands; false when it stands no more.
CREATE FUNCTION gantry_job_progress(claimed text, worker text, attempt integer, done double precision, of double precision, said text)
    RETURNS boolean LANGUAGE plpgsql SET gantry.scope = 'platform' AS $$
BEGIN
    UPDATE jobs SET progress = done, total = of, status_message = left(said, 500), updated_at = clock_timestamp()
        WHERE id = claimed AND node = worker AND attempts = attempt AND status = 'running';
    RETURN FOUND;
END
$$;

-- Ends a claim that stands, with a result or with questions, which a job that is to be cancelled does not ask any more; no
-- row when it stands no more. Questions that nobody answers are kept as long as an end is.
CREATE FUNCTION gantry_job_finish(claimed text, worker text, attempt integer, ended text, fault text, asked json, kept json,
                                  done double precision, of double precision, outcome json, kept_ms double precision)
    RETURNS SETOF jobs LANGUAGE plpgsql SET gantry.scope = 'platform' AS $$
DECLARE
    job jobs;
    asks boolean := ended = 'input_required';
BEGIN
    IF asks THEN
        PERFORM FROM jobs WHERE id = claimed FOR UPDATE;
        IF EXISTS (SELECT FROM jobs WHERE id = claimed AND cancel_asked_at IS NOT NULL) THEN
            asks := false;
            ended := 'cancelled';
            asked := NULL;
        END IF;
    END IF;
    UPDATE jobs SET status = ended, error = fault, questions = asked, rounds = coalesce(kept, rounds),
                    progress = coalesce(done, progress), total = coalesce(of, total), status_message = NULL,
                    updated_at = clock_timestamp(),
                    admitted_at = CASE WHEN asks THEN NULL ELSE admitted_at END,
                    finished_at = CASE WHEN asks THEN NULL ELSE clock_timestamp() END,
                    expires_at = clock_timestamp() + greatest(kept_ms, coalesce(ttl_ms, 0)) * interval '1 millisecond'
        WHERE id = claimed AND node = worker AND attempts = attempt AND status = 'running'
        RETURNING * INTO job;
    IF NOT FOUND THEN RETURN; END IF;
    IF outcome IS NOT NULL THEN
        INSERT INTO job_results (job_id, tenant_id, result) VALUES (job.id, job.tenant_id, outcome) ON CONFLICT (job_id) DO NOTHING;
    END IF;
    UPDATE job_attempts a SET finished_at = clock_timestamp(), outcome = ended, error = fault
        WHERE a.job_id = job.id AND a.number = attempt AND a.finished_at IS NULL;
    RETURN NEXT job;
END
$$;

-- The caller of a job that is over, or asks, knows of it.
CREATE FUNCTION gantry_job_answered(answered text, attempt integer) RETURNS void LANGUAGE sql SET gantry.scope = 'platform'
    AS $$ UPDATE jobs SET answered_at = clock_timestamp() WHERE id = answered AND attempts = attempt AND (finished_at IS NOT NULL OR status = 'input_required') $$;

-- Whether any job waits to be admitted.
CREATE FUNCTION gantry_jobs_wait() RETURNS boolean LANGUAGE sql STABLE SET gantry.scope = 'platform'
    AS $$ SELECT EXISTS (SELECT FROM jobs WHERE status = 'queued' AND admitted_at IS NULL) $$;
