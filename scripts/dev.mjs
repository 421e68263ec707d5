// npm run dev: the server, started again whenever one of its sources changes, and beside it the console with hot reload. Open the console's address.
import { join } from "node:path";
import { environmentFor, run } from "./launch.mjs";
import { keep, root } from "./place.mjs";
import { setup } from "./setup.mjs";

const node = await setup();
const port = process.env.PORT ?? "8080";
const consolePort = "5173";
const env = environmentFor(node, {
  // Not where `npm start` keeps its data: a version under work may write what no other one reads.
  DATA_DIR: process.env.DATA_DIR ?? join(keep, "dev-data"),
  PORT: port,
  // Links in mails lead to the console that is reloaded.
  PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${consolePort}`,
  SERVER_URL: `http://localhost:${port}`,
});
const server = ["--disable-warning=ExperimentalWarning", "--watch", "--watch-preserve-output", "server/src/main.ts"];
const vite = [join(root, "node_modules/vite/bin/vite.js"), "--port", consolePort, "--strictPort"];
// Whichever ends first ends the other.
process.exitCode = await Promise.race([
  run(node, server, { env }),
  run(node, vite, { env, cwd: join(root, "console") }),
]);
process.kill(process.pid, "SIGTERM");
