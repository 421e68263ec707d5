// Preloaded into what npx has started: npx that is killed takes only itself along. The program is told to end, as the scripts of a checkout do.
import { isMainThread } from "node:worker_threads";

const starter = process.ppid;
const look = () => {
  if (process.ppid === starter) return;
  clearInterval(timer);
  process.kill(process.pid, "SIGTERM");
};
const timer = isMainThread ? setInterval(look, 500).unref() : undefined;
