import { installFromDebian, programOf } from "./debian.mjs";
import { withProgress } from "./launch.mjs";

/** Finds a NATS server for the tests of several nodes, or installs it from Debian as root; undefined when none is available. */
export const findNats = async () => {
  const found = process.env.NATS_SERVER ?? programOf("nats-server");
  if (found) return found;
  await withProgress("Installing a NATS server for the tests (once)", () => installFromDebian(["nats-server"]));
  return programOf("nats-server");
};
