import { Registry } from "prom-client";
import { createBridges } from "../bridges/index.ts";
import { systemClock } from "../platform/clock.ts";
import { connect } from "../platform/database/connect.ts";
import { createLog } from "../platform/log.ts";
import { singleNode } from "../platform/node/node.ts";

/** Runs the bridges of the database that is named by its URL, in a process that a test can kill. */
const [, , url = ""] = process.argv;
const log = createLog("silent");
createBridges({
  ...connect(url, log),
  ...{
    log,
    clock: systemClock,
    metrics: new Registry(),
    node: singleNode("bridges"),
    publicUrl: "https://telltale.test",
  },
  isPrivateAllowed: true,
}).start();
setInterval(() => undefined, 60_000);
