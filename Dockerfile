# Rialto in a container: built in one stage, run in another that has no compiler and no sources.
FROM node:20-slim AS build
WORKDIR /rialto
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:20-slim
WORKDIR /rialto
ENV NODE_ENV=production RIALTO_HOST=0.0.0.0 RIALTO_DATA=/data
COPY --from=build /rialto/package.json ./
COPY --from=build /rialto/node_modules ./node_modules
COPY --from=build /rialto/dist ./dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080 8081
# SIGTERM reaches the program itself, which stops cleanly.
CMD ["node", "--enable-source-maps", "--max-semi-space-size=64", "dist/ops/cli.js", "start"]
