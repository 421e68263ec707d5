// Preloaded into what npm or npx has started from the package: it is told to end when they are gone.
import { isMainThread } from "node:worker_threads";
import { isNpmGone } from "./npm-gone.mjs";

const look = () => {
  if (!isNpmGone()) return;
  clearInterval(timer);
  process.kill(process.pid, "SIGTERM");
};
const timer = isMainThread ? setInterval(look, 500).unref() : undefined;
