# The images of Gantry, one build and one tag: target "api" serves (and migrates), target "admin" is the console.
#   docker build --target api -t gantry-api:TAG .    docker build --target admin -t gantry-admin:TAG .
# Nothing of a deployment is in them: every address and secret comes with the environment of a start.

FROM node:24-bookworm-slim AS manifests
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY apps/api/package.json apps/api/
COPY apps/admin/package.json apps/admin/
COPY packages/contracts/package.json packages/contracts/
COPY packages/mcp-core/package.json packages/mcp-core/
COPY packages/tsconfig/package.json packages/tsconfig/

FROM manifests AS build
RUN npm ci --no-audit --no-fund --loglevel=error
COPY turbo.json ./
COPY scripts scripts
COPY prisma prisma
COPY packages packages
COPY apps apps
RUN npm run build

FROM manifests AS api-dependencies
RUN npm ci --omit=dev --workspace=@gantry/api --no-audit --no-fund --loglevel=error
COPY docker/prune.mjs docker/
RUN node docker/prune.mjs apps/api
# Prisma brings its compiler for five databases in two sizes; one of them is ours.
RUN find node_modules/@prisma/client/runtime -name 'query_compiler_*' ! -name 'query_compiler_fast_bg.postgresql*' -delete
RUN find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -type f -delete

FROM node:24-bookworm-slim AS api
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000
WORKDIR /app
COPY --from=api-dependencies /src/node_modules node_modules
COPY package.json ./
COPY apps/api/package.json apps/api/
COPY packages/contracts/package.json packages/contracts/
COPY packages/mcp-core/package.json packages/mcp-core/
COPY --from=build /src/packages/contracts/dist packages/contracts/dist
COPY --from=build /src/packages/mcp-core/dist packages/mcp-core/dist
COPY --from=build /src/apps/api/dist apps/api/dist
COPY prisma/migrations prisma/migrations
COPY scripts/lib/paths.mjs scripts/lib/migrate.mjs scripts/lib/
COPY docker/migrate.mjs docker/healthcheck.mjs docker/
USER node
EXPOSE 4000
CMD ["node", "--enable-source-maps", "apps/api/dist/main.js"]

FROM node:24-bookworm-slim AS admin
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HOSTNAME=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=build /src/apps/admin/.next/standalone ./
COPY docker/healthcheck.mjs docker/
USER node
EXPOSE 3000
CMD ["node", "apps/admin/server.js"]
