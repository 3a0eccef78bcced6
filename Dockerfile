# A new base image is a new tag with its digest, for both stages.
# Build: the packages that run, and the bundler among them. Run: Node, the built service, and the packages that it does not hold.
FROM node:24.21.0-bookworm@sha256:64af3819f9275802414d7cdc38c27e9d82bd564dec4d4da87d008255d36c63b4 AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY tools ./tools
COPY src ./src
COPY console ./console
RUN node tools/build.mjs && node tools/prune-bundled.mjs

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production Environment=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json THIRD-PARTY.md ./
COPY assets ./assets
COPY migrations ./migrations
COPY models ./models
RUN mkdir /data && chown node:node /data && ln -s /app/dist/cli.js /usr/local/bin/callwright && chmod +x dist/cli.js
USER node
VOLUME /data
EXPOSE 8010
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8010}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
