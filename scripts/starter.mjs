// Preloaded into programs that `run` (launch.mjs) starts: shuts them down when the starter is gone, even by kill -9. The starter holds the other end
// of a pipe, which the system closes with the process. Without it (systemd, a container, a debugger) nothing happens.
import { Socket } from "node:net";

const given = process.env.TELLTALE_STARTER;
delete process.env.TELLTALE_STARTER;
if (given) {
  const starter = new Socket({ fd: Number(given), readable: true, writable: false });
  starter.once("close", () => process.kill(process.pid, "SIGTERM"));
  starter
    .on("error", () => undefined)
    .resume()
    .unref();
}
