// npm run dev: the server, restarted when a source changes, and the console with hot reload. Open the console's address.
import { join } from "node:path";
import { environmentFor, run } from "./launch.mjs";
import { keep, root } from "./place.mjs";
import { setup } from "./setup.mjs";

const node = await setup();
const port = process.env.PORT ?? "8080";
const consolePort = "5173";
const env = environmentFor(node, {
  // Not the data directory of `npm start`: a version in development may write what other versions cannot read.
  DATA_DIR: process.env.DATA_DIR ?? join(keep, "dev-data"),
  PORT: port,
  // Links in mails lead to the hot-reloaded console.
  PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${consolePort}`,
  SERVER_URL: `http://localhost:${port}`,
});
const server = ["--disable-warning=ExperimentalWarning", "--watch", "--watch-preserve-output", "server/src/main.ts"];
const vite = [join(root, "node_modules/vite/bin/vite.js"), "--port", consolePort, "--strictPort"];
// When one ends, the other is stopped.
process.exitCode = await Promise.race([
  run(node, server, { env }),
  run(node, vite, { env, cwd: join(root, "console") }),
]);
process.kill(process.pid, "SIGTERM");
