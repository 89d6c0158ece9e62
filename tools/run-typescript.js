/**
 * Runs the function `main` of a TypeScript module with the arguments after its path, on every version of Node that Castor supports. Public names
 * (`castor/sim`) are those of the source.
 *
 *     node tools/run-typescript.js test/attacks/run/attack.ts --help
 */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const [path, ...rest] = process.argv.slice(2);
const server = await createServer({
  root: fileURLToPath(new URL("..", import.meta.url)),
  configFile: false,
  appType: "custom",
  logLevel: "error",
  optimizeDeps: { noDiscovery: true, include: [] },
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
});
const { runner } = server.environments.ssr;
const { sourceAliases } = await runner.import("/tools/source-aliases.ts");
server.config.resolve.alias.push(...sourceAliases());
try {
  const { main } = await runner.import(resolve(path));
  process.exitCode = await main(rest);
} finally {
  await server.close();
}
