// Loaded before a program that `run` (launch.mjs) starts: ends it in order when the starter is gone, be it by kill -9. The starter holds the other end
// of a pipe, which the system closes with the process. Started in another way (systemd, a container, a debugger) a program is nobody's and does without.
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
